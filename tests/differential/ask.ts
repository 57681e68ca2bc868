import type { Api, AnyResource, Principal } from "@bifocal/core";
import { request } from "@bifocal/test-servers/request";

/** The response to a document, through the handler that all adapters mount. */
export async function ask<All extends AnyResource>(
  api: Api<All>,
  asked: { readonly query: string; readonly variables: object },
  principal: Principal | null,
): Promise<string> {
  const headers = principal === null ? {} : { authorization: `Bearer ${principal.id}` };
  const response = await api.handle(request("POST", "/graphql", { headers, body: asked }));
  return response?.body as string;
}
