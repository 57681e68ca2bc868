import type { HttpRequest, HttpResponse } from "../../../src/http/message.ts";
import { answerText } from "../../answer.ts";

interface Answering {
  readonly handle: (request: HttpRequest) => HttpResponse | null | Promise<HttpResponse | null>;
}

type Headers = Readonly<Record<string, string>>;

/** The parts of an answer as JSON, and what it came with. */
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

/** One part where the text is JSON. */
export function partsOf(text: string): readonly unknown[] {
  if (text.startsWith("{")) return [JSON.parse(text)];
  return text
    .split(/\r\n---(?:--)?\r\n/)
    .filter((part) => part !== "")
    .map((part) => JSON.parse(part.slice(part.indexOf("\r\n\r\n"))) as unknown);
}
