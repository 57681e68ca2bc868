import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { RequestTexts } from "../formats/format.ts";

/**
 * Prints a request in each style, for the pages of the API. Returns undefined unless it is a valid read by `GET`.
 * `onRejected` receives the error of an invalid one.
 */
export type PrintRequest = (
  request: Pick<HttpRequest, "method" | "path" | "query" | "prefix" | "headers">,
  onRejected?: (error: BifocalError) => void,
) => Promise<RequestTexts | undefined>;
