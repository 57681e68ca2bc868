const MAX_ATTEMPTS = 5;

/**
 * Sends a request again if the server is overloaded (503), after the time that it asks for. The server rejects such
 * requests before any work is done, so this is safe for writes too.
 */
export async function fetchAgain(url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init);
    if (response.status !== 503 || attempt === MAX_ATTEMPTS) return response;
    const seconds = Number(response.headers.get("Retry-After") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    init.signal.throwIfAborted();
  }
}
