import { credentialHeaders } from "./credential.ts";
import { byId, PREFIX } from "./elements.ts";
import type { GraphqlForm, RestForm } from "./translate.ts";

/** Sends a request and shows the response and how long it took. */
async function show(style: "rest" | "graphql", send: () => Promise<Response>): Promise<void> {
  const [output, time] = [byId(`${style}-response`), byId(`${style}-time`)];
  const start = performance.now();
  const response = await send();
  const text = await response.text();
  const session = byId("session");
  if (response.status === 401 && session instanceof HTMLDetailsElement) session.open = true;
  time.textContent = `${response.status}, ${Math.round(performance.now() - start)} ms`;
  output.textContent = pretty(text);
}

export function sendRest({ method, url, headers, body }: RestForm): Promise<void> {
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  return show("rest", () =>
    fetch(PREFIX + url, {
      method,
      headers: { Accept: "application/json", ...type, ...headers, ...credentialHeaders() },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

export function sendGraphql({ document: query, variables }: GraphqlForm): Promise<void> {
  return show("graphql", () =>
    fetch(`${PREFIX}/graphql`, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json", ...credentialHeaders() },
      body: JSON.stringify({ query, variables }),
    }),
  );
}

/** Empties the responses, which belong to another request. */
export function clearResponses(): void {
  for (const style of ["rest", "graphql"]) {
    for (const part of ["response", "time"]) byId(`${style}-${part}`).textContent = "";
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
