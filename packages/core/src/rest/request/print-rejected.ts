import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { ProblemRequest } from "../formats/format.ts";
import { standIns } from "../formats/html/stand-ins.ts";
import type { PrintRequest } from "./print-request.ts";

/** Prints a rejected request in each style. An invalid one is printed with something valid in place of its mistake. */
export async function printRejected(
  printRequest: PrintRequest,
  { code, issues }: BifocalError,
  request: HttpRequest,
): Promise<Pick<ProblemRequest, "texts" | "mistake">> {
  if (code !== "BAD_REQUEST") {
    const texts = await printRequest(request);
    return texts === undefined ? {} : { texts };
  }
  for (const { query, mistake } of standIns({ errors: issues }, request)) {
    const { method, path, prefix, headers } = request;
    const texts = await printRequest({ method, path, prefix, headers, query });
    if (texts !== undefined) return { texts, mistake };
  }
  return {};
}
