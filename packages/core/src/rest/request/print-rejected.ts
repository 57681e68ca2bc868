import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { ProblemRequest, RequestMistake, RequestTexts } from "../formats/format.ts";
import { idStandIns, readableMistakes, type StandIn, standIns } from "../formats/html/stand-ins.ts";
import type { PrintRequest } from "./print-request.ts";

type Printed = Pick<ProblemRequest, "texts" | "mistakes">;
type Issues = BifocalError["issues"];

const MAX_MISTAKES = 6;
/** Number of requests to read, so that a long request costs no more than a few valid ones. */
const MAX_TRIED = 40;
/** Parameters whose names are in brackets. Errors about the others have the same place for each name. */
const BY_PLACE: ReadonlySet<unknown> = new Set(["filter", "having", "rel"]);

/**
 * Prints a rejected request in each style. An invalid one is printed with something valid in place of each mistake.
 * Returns nothing if it can't be printed.
 */
export async function printRejected(
  printRequest: PrintRequest,
  { code, issues }: BifocalError,
  request: HttpRequest,
): Promise<Printed> {
  const { method, prefix, headers } = request;
  let tried = 0;
  const print = async (sent: Pick<StandIn, "path" | "query">): Promise<RequestTexts | Issues> => {
    if (++tried > MAX_TRIED) return [];
    let found: Issues = [];
    const texts = await printRequest({ method, prefix, headers, ...sent }, (error) => {
      found = error.issues;
    });
    return texts ?? found;
  };
  const texts = await print(request);
  if (isPrinted(texts)) return { texts, mistakes: code === "BAD_REQUEST" ? readableMistakes(issues, request) : [] };
  if (code === "NOT_FOUND") return replaceId(print, request);
  return code === "BAD_REQUEST" ? replaceMistakes(print, issues, request) : {};
}

type Print = (sent: Pick<StandIn, "path" | "query">) => Promise<RequestTexts | Issues>;

async function replaceId(print: Print, request: HttpRequest): Promise<Printed> {
  for (const standIn of idStandIns(request)) {
    const texts = await print(standIn);
    if (isPrinted(texts)) return { texts, mistakes: [standIn.mistake] };
  }
  return {};
}

/** Replaces the first mistake until the next one is found, because reading stops at the first. */
async function replaceMistakes(print: Print, issues: Issues, request: HttpRequest): Promise<Printed> {
  const mistakes: RequestMistake[] = [];
  let sent: Pick<StandIn, "path" | "query"> = request;
  let [issue] = issues;
  while (issue !== undefined && mistakes.length < MAX_MISTAKES) {
    let next: Issues[number] | undefined;
    for (const standIn of standIns(issue, sent)) {
      const texts = await print(standIn);
      if (isPrinted(texts)) return { texts, mistakes: [...mistakes, standIn.mistake] };
      if (texts[0] === undefined || !isReplaced(standIn, texts[0])) continue;
      sent = standIn;
      mistakes.push(standIn.mistake);
      [next] = texts;
      break;
    }
    issue = next;
  }
  return {};
}

/** Whether the next error is about another mistake, and not about the stand-in itself. */
function isReplaced({ mistake }: StandIn, next: Issues[number]): boolean {
  if (mistake.kind === "parameter") return true;
  const place = mistake.path.join(".");
  const found = next.path.join(".");
  if (mistake.kind === "value") return !`${found}.`.startsWith(`${place}.`);
  // The error suggests the stand-in, so the next error about the same place is another mistake.
  if (mistake.standIn === mistake.suggestion) return !next.message.includes(`'${mistake.text}'`);
  if (!BY_PLACE.has(mistake.path[0])) return !next.message.includes(`'${mistake.standIn}'`);
  const own = [...mistake.path.slice(0, -1), mistake.standIn].join(".");
  return found !== place && !`${found}.`.startsWith(`${own}.`);
}

function isPrinted(found: RequestTexts | Issues): found is RequestTexts {
  return "graphql" in found;
}
