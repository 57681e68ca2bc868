import type { HttpResponse } from "../../message/message.ts";
import type { ResultText } from "../execute/result.ts";
import type { PartFormat } from "../incremental/graphql-js.ts";

const BOUNDARY = "-";
const PARAMETERS: Readonly<Record<PartFormat, string>> = {
  "v0.2": "incrementalSpec=v0.2",
  "20220824": "deferSpec=20220824",
};

/**
 * Returns the format in which a client accepts incremental parts, or undefined if it does not. The client has to accept
 * `multipart/mixed` (the working draft "Incremental Delivery over HTTP"). Like Apollo's clients, it may also name the
 * specification of the payloads.
 */
export function partFormat(accept: string | readonly string[] | undefined): PartFormat | undefined {
  for (const range of String(accept ?? "")
    .toLowerCase()
    .split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().replaceAll('"', ""));
    if (type !== "multipart/mixed" || parameters.includes("q=0")) continue;
    const asked = parameters.find((one) => one.startsWith("deferspec=") || one.startsWith("incrementalspec="));
    if (asked === undefined || asked === "incrementalspec=v0.2") return "v0.2";
    if (asked === "deferspec=20220824") return "20220824";
  }
  return undefined;
}

/** Creates an incremental response (RFC 2046 §5.1). The headers ask proxies not to buffer the parts. */
export function serializeParts(
  text: string,
  parts: NonNullable<ResultText["parts"]>,
  format: PartFormat,
): HttpResponse {
  const headers = {
    "Content-Type": `multipart/mixed; boundary="${BOUNDARY}"; ${PARAMETERS[format]}`,
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
  };
  return { status: 200, headers, body: new MultipartBody(text, parts) };
}

/**
 * Each part ends with the delimiter of the next one, because clients recognize a complete part only by that delimiter.
 */
class MultipartBody implements AsyncIterableIterator<string, undefined> {
  readonly #parts: AsyncIterableIterator<string, undefined>;
  #first: string | undefined;
  #isOver = false;

  constructor(first: string, parts: AsyncIterableIterator<string, undefined>) {
    this.#first = first;
    this.#parts = parts;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#first !== undefined) {
      const value = `\r\n--${BOUNDARY}${writePart(this.#first)}`;
      this.#first = undefined;
      return { done: false, value };
    }
    if (this.#isOver) return { done: true, value: undefined };
    const { done, value } = await this.#parts.next();
    if (done !== true) return { done: false, value: writePart(value) };
    this.#isOver = true;
    return { done: false, value: "--\r\n" };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.#isOver = true;
    await this.#parts.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function writePart(text: string): string {
  return `\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${text}\r\n--${BOUNDARY}`;
}
