import type { Problem, RequestMistake } from "../format.ts";
import { replaceName } from "./suggested-urls.ts";
import { writeParameters } from "./url.ts";

/** A rejected request with something valid in place of its mistake, so that it can be printed in each style. */
export interface StandIn {
  readonly path: string;
  readonly query: string;
  readonly mistake: RequestMistake;
}

type Issue = NonNullable<Problem["errors"]>[number];
type Sent = Pick<StandIn, "path" | "query">;

const MAX_NAMES = 8;
const QUOTED = /'([^'\s]+)'/g;
/** The valid options that a message lists. */
const OPTIONS = /(?:Available|Supported|expected one of):? ([^.]+)\./;
const SUGGESTION = /Did you mean '([^']+)'\?/;
const HINT = /Did you mean|Available|Supported/;
/** A value for each type of field. Most requests need only the first. */
const VALUES = ["1", "true", "2000-01-01", "2000-01-01T00:00:00Z", "00000000-0000-4000-8000-000000000000", "text"];

/** Returns requests to try in place of a rejected one, the most similar first. The last has no such parameter. */
export function standIns({ path, message, code }: Issue, sent: Sent): readonly StandIn[] {
  const suggested = SUGGESTION.exec(message)?.[1];
  // The value of an unknown parameter is seldom a value of another one.
  const listed = code === "unknown_parameter" ? [] : (OPTIONS.exec(message)?.[1]?.split(", ") ?? []);
  const names = suggested === undefined ? listed : [suggested, ...listed];
  return [
    ...names.map((name) => nameStandIn(sent, { path, message }, name, suggested)).slice(0, MAX_NAMES),
    ...(code === "unknown_parameter" ? [] : [...listed.slice(0, MAX_NAMES), ...VALUES]).map((value) =>
      valueStandIn(sent, path, value),
    ),
    without(sent, path),
  ].filter((one) => one !== undefined);
}

/** Returns requests with a valid id in place of one that can't be read. */
export function idStandIns({ path, query }: Sent): readonly StandIn[] {
  const [, resource = "", id = "", ...rest] = path.split("/");
  if (id === "") return [];
  return VALUES.map((standIn) => ({
    path: ["", resource, standIn, ...rest].join("/"),
    query,
    mistake: { path: ["id"], kind: "value", text: decoded(id), standIn },
  }));
}

/** Returns the values at the places of errors about requests that can be read, such as a cursor of another list. */
export function readableMistakes(errors: readonly Issue[], sent: Sent): readonly RequestMistake[] {
  return errors.flatMap(({ path }) => valueStandIn(sent, path, "")?.mistake ?? []);
}

function nameStandIn(
  { path: url, query }: Sent,
  { path, message }: Pick<Issue, "path" | "message">,
  standIn: string,
  suggested: string | undefined,
): StandIn | undefined {
  const known = message.split(HINT, 1)[0] ?? "";
  const quoted = [...known.matchAll(QUOTED)].map(([, name = ""]) => name).reverse();
  for (const text of quoted) {
    const replaced = replaceName(query, String(path[0]), text, standIn);
    if (replaced === undefined) continue;
    const suggestion = suggested === undefined ? {} : { suggestion: suggested };
    return { path: url, query: replaced, mistake: { path, kind: "name", text, standIn, ...suggestion } };
  }
  return undefined;
}

function valueStandIn({ path: url, query }: Sent, path: RequestMistake["path"], standIn: string): StandIn | undefined {
  let text: string | undefined;
  const pairs = [...new URLSearchParams(query)].map(([name, value]): [string, string] => {
    if (text !== undefined || placeOf(name) !== path.join(".")) return [name, value];
    text = value;
    return [name, standIn];
  });
  if (text === undefined) return undefined;
  const mistake = { path, kind: "value", text, standIn } as const;
  return { path: url, query: writeParameters(pairs), mistake };
}

/** Leaves out the parameters at the place of the mistake, those below it, or else the one above it. */
function without({ path: url, query }: Sent, path: RequestMistake["path"]): StandIn | undefined {
  const place = path.join(".");
  const pairs = [...new URLSearchParams(query)];
  const isAtOrBelow = ([name]: [string, string]): boolean => `${placeOf(name)}.`.startsWith(`${place}.`);
  const isAbove = ([name]: [string, string]): boolean => place.startsWith(`${placeOf(name)}.`);
  const isLeftOut = pairs.some(isAtOrBelow) ? isAtOrBelow : isAbove;
  const found = pairs.filter(isLeftOut);
  if (place === "" || found.length === 0) return undefined;
  const text = found.map(([name, value]) => `${name}=${value}`).join("&");
  const mistake = { path, kind: "parameter", text, standIn: "" } as const;
  return { path: url, query: writeParameters(pairs.filter((pair) => !isLeftOut(pair))), mistake };
}

function placeOf(name: string): string {
  return name.replaceAll("]", "").split(/[[.]/).join(".");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
