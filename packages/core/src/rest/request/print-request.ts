import type { HttpRequest } from "../../message/message.ts";
import type { RequestTexts } from "../formats/format.ts";

/** Prints a request in each style, for the pages of the API. Returns undefined unless it is a read by `GET`. */
export type PrintRequest = (
  request: Pick<HttpRequest, "method" | "path" | "query" | "prefix" | "headers">,
) => Promise<RequestTexts | undefined>;
