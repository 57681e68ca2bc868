import type { JsonResponse } from "./request-json.ts";

/** The `fetch` of a host. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends a request with the `fetch` of a host, and doesn't follow redirects. */
export async function requestByFetch(
  fetch: Fetch,
  url: URL,
  options: Pick<RequestInit, "method" | "headers" | "signal">,
  body: string | undefined,
): Promise<JsonResponse> {
  const response = await fetch(url.href, { ...options, body: body ?? null, redirect: "manual" });
  return {
    status: response.status,
    body: response.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() }),
    // A failed or locked stream has ended already.
    cancel: () => void response.body?.cancel().catch(() => {}),
  };
}
