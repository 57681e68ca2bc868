import type { HttpRequest, HttpResponse } from "../src/message/message.ts";
import { request } from "./request.ts";

interface Answering {
  readonly handle: (request: HttpRequest) => HttpResponse | null | Promise<HttpResponse | null>;
}

/** The text of a response, streamed or not. */
export async function answerText(
  api: Answering,
  method: string,
  url: string,
  parts: Parameters<typeof request>[2] = {},
): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string }> {
  const response = await api.handle(request(method, url, parts));
  if (response === null) throw new Error(`The API has no route for ${url}.`);
  const { status, headers, body } = response;
  let text = "";
  if (typeof body === "string") text = body;
  else if (body instanceof Uint8Array) text = new TextDecoder().decode(body);
  else if (body !== null && Symbol.asyncIterator in body) for await (const piece of body) text += piece;
  return { status, headers, text };
}
