import type { Api, AnyResource, Principal } from "@bifocal/core";

/** The response to a document, through the handler that all adapters mount. */
export async function ask<All extends AnyResource>(
  api: Api<All>,
  asked: { readonly query: string; readonly variables: object },
  principal: Principal | null,
): Promise<string> {
  const body = new TextEncoder().encode(JSON.stringify(asked));
  const response = await api.handle({
    method: "POST",
    path: "/graphql",
    query: "",
    prefix: "",
    headers: {
      "content-type": "application/json",
      ...(principal === null ? {} : { authorization: `Bearer ${principal.id}` }),
    },
    body: () => Promise.resolve(body),
    signal: new AbortController().signal,
    scheme: "http",
    headerCount: 0,
    repeats: () => false,
    address: undefined,
    raw: undefined,
  });
  return response?.body as string;
}
