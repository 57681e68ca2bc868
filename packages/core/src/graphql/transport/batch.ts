import type { HttpResponse } from "../../message/message.ts";
import type { Limits } from "../../limits/limits.ts";
import { refuse } from "../../errors/refuse.ts";
import type { MediaType } from "./media-type.ts";

/**
 * Responds to a list of requests with the list of their results, in the same order. The status is 200, because each
 * request can fail on its own. Throws BAD_REQUEST if the list is empty or too long.
 */
export async function answerBatch(
  requests: readonly unknown[],
  { graphql: { batchSize } }: Limits,
  type: MediaType,
  answerOne: (request: unknown) => Promise<string>,
): Promise<HttpResponse> {
  if (requests.length === 0) refuse([], "required", "A batch must contain at least one request.");
  if (requests.length > batchSize) {
    refuse([], "too_many", `A batch can contain at most ${batchSize} requests; received ${requests.length}.`);
  }
  const results: string[] = [];
  for (const request of requests) {
    // Run them in sequence, so that their costs add up and the request that exceeds the limit is rejected.
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
