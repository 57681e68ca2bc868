import type { Problem, ProblemRequest, RequestMistake } from "../format.ts";
import { replaceName } from "./suggested-urls.ts";
import { writeParameters } from "./url.ts";

/** A rejected request with something valid in place of its mistake, so that it can be printed in each style. */
export interface StandIn {
  readonly query: string;
  readonly mistake: RequestMistake;
}

const MAX_TRIED = 8;
const QUOTED = /'([^'\s]+)'/g;
/** The valid options that a message lists. */
const OPTIONS = /(?:Available|Supported|expected one of):? ([^.]+)\./;
const SUGGESTION = /Did you mean '([^']+)'\?/;
const HINT = /Did you mean|Available|Supported/;
/** A value for each type of field. Most requests need only the first. */
const VALUES = ["1", "true", "2000-01-01", "2000-01-01T00:00:00Z", "00000000-0000-4000-8000-000000000000", "text"];

/** Returns requests to try in place of a rejected one, the most similar first. The first mistake is the one to replace. */
export function standIns(
  { errors = [] }: Pick<Problem, "errors">,
  request: Pick<ProblemRequest, "query">,
): readonly StandIn[] {
  const [error] = errors;
  if (error === undefined) return [];
  const { path, message } = error;
  const listed = OPTIONS.exec(message)?.[1]?.split(", ") ?? [];
  const isValue = error.code === "invalid_operand" || error.code === "out_of_range";
  const found = isValue
    ? [...listed, ...VALUES].map((value) => valueStandIn(request, path, value))
    : [...(SUGGESTION.exec(message)?.slice(1) ?? []), ...listed].map((name) =>
        nameStandIn(request, path, message, name),
      );
  return found.filter((one) => one !== undefined).slice(0, MAX_TRIED);
}

function nameStandIn(
  { query }: Pick<ProblemRequest, "query">,
  path: RequestMistake["path"],
  message: string,
  standIn: string,
): StandIn | undefined {
  const known = message.split(HINT, 1)[0] ?? "";
  const quoted = [...known.matchAll(QUOTED)].map(([, name = ""]) => name).reverse();
  for (const text of quoted) {
    const replaced = replaceName(query, String(path[0]), text, standIn);
    if (replaced !== undefined) return { query: replaced, mistake: { path, kind: "name", text, standIn } };
  }
  return undefined;
}

function valueStandIn(
  { query }: Pick<ProblemRequest, "query">,
  path: RequestMistake["path"],
  standIn: string,
): StandIn | undefined {
  let text: string | undefined;
  const pairs = [...new URLSearchParams(query)].map(([name, value]): [string, string] => {
    const place = name.replaceAll("]", "").split(/[[.]/).join(".");
    if (text !== undefined || place !== path.join(".")) return [name, value];
    text = value;
    return [name, standIn];
  });
  return text === undefined
    ? undefined
    : { query: writeParameters(pairs), mistake: { path, kind: "value", text, standIn } };
}
