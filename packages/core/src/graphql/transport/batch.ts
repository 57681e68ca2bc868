import type { HttpResponse } from "../../message/message.ts";
import type { Limits } from "../../limits/limits.ts";
import { refuse } from "../../errors/refuse.ts";
import type { MediaType } from "./media-type.ts";

/**
 * Answers a list of requests with the list of their results, one after another and in their order; each is refused or
 * fails on its own, so the status is 200. Throws BAD_REQUEST where there is none, or there are too many.
 */
export async function answerBatch(
  requests: readonly unknown[],
  { batchSize }: Limits,
  type: MediaType,
  answerOne: (request: unknown) => Promise<string>,
): Promise<HttpResponse> {
  if (requests.length === 0) refuse([], "required", "A batch must contain at least one request.");
  if (requests.length > batchSize) {
    refuse([], "too_many", `A batch can contain at most ${batchSize} requests; received ${requests.length}.`);
  }
  const results: string[] = [];
  for (const request of requests) {
    // One after another: what they cost is added up, and the one that would be too much is refused.
    results.push(await answerOne(request));
  }
  return {
    status: 200,
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
    body: `[${results.join(",")}]`,
  };
}
