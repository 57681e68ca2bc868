import type { HttpRequest, HttpResponse } from "../../../src/message/message.ts";
import { answerText } from "../../answer.ts";
import { request } from "../../request.ts";

interface Answering {
  readonly handle: (request: HttpRequest) => HttpResponse | null | Promise<HttpResponse | null>;
}

type Headers = Readonly<Record<string, string>>;

/** The parts of a response as JSON, with its status and headers. */
export async function answerParts(
  api: Answering,
  query: string,
  { accept = "multipart/mixed", variables }: { readonly accept?: string; readonly variables?: object } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly parts: readonly unknown[] }> {
  const { status, headers, text } = await answerText(api, "POST", "/graphql", {
    headers: { accept },
    body: { query, variables },
  });
  return { status, headers, parts: partsOf(text) };
}

/** The pieces of a response as they arrive. */
export async function openParts(api: Answering, query: string): Promise<AsyncIterable<string>> {
  const sent = request("POST", "/graphql", { headers: { accept: "multipart/mixed" }, body: { query } });
  const body = (await api.handle(sent))?.body;
  if (typeof body === "object" && body !== null && Symbol.asyncIterator in body) return body;
  throw new Error("The answer is whole.");
}

export async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

/** A JSON response is a single part. */
function partsOf(text: string): readonly unknown[] {
  if (text.startsWith("{")) return [JSON.parse(text)];
  return text
    .split(/\r\n---(?:--)?\r\n/)
    .filter((part) => part !== "")
    .map((part) => JSON.parse(part.slice(part.indexOf("\r\n\r\n"))) as unknown);
}
