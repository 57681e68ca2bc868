import type { Client, ClientDescription, Style } from "@bifocal/core";
import { BifocalError } from "./client-error.ts";
import { createCalls } from "./calls.ts";
import { createDescription } from "./description.ts";
import { DESCRIBE } from "./describe-symbol.ts";
import type { Lens } from "./lens.ts";
import type { LiveLists } from "./live/live-source.ts";
import { createTransport, type TransportOptions } from "./transport.ts";
import { createVersions } from "./versions.ts";
import type { OpenChanges } from "./watch.ts";

export interface ClientOptions<In extends Style = Style> extends TransportOptions {
  /** The style in which calls are sent: `restLens()` or `graphqlLens()`. */
  readonly lens: Lens<In>;
  /** Enables `list({ live: true })`: `liveLists` from `@bifocal/client/live`. */
  readonly live?: LiveLists;
  /** Watches over WebSockets: `webSockets()` from `@bifocal/client/websocket`. Default: event streams of REST. */
  readonly watch?: OpenChanges;
  /** The description of the API, if it is already known. Default: read once from `/client.json`, before the first call. */
  readonly description?: ClientDescription;
}

/**
 * Rejects an API whose type is missing, or is `any` because its declarations import a package that isn't installed.
 */
type RequireTypes<Api> = string extends keyof Api
  ? { readonly "~mistake": "The type of the API is 'any'. Install @bifocal/core, and check the import of the type." }
  : [keyof Api] extends [never]
    ? { readonly "~mistake": "The type of the API is missing. Write createClient<typeof api>({ … })." }
    : unknown;

/**
 * Creates a typed client from the type of an API. Its calls are those of `api.local`, as far as both styles offer them.
 * `createClient<typeof api, "rest">` has those of one style.
 * @example
 * import type { api } from "./server.ts";
 * const client = createClient<typeof api>({ url: "https://example.com/api", lens: restLens() });
 */
export function createClient<Api, In extends Style = Style>(
  options: ClientOptions<In> & RequireTypes<Api>,
): Client<Api, In> {
  if (typeof options?.url !== "string" || !options.lens?.run)
    throw new BifocalError("BAD_REQUEST", "Pass 'url' and 'lens' to createClient.");
  const transport = createTransport(options);
  const { description } = options;
  const describe =
    description === undefined ? createDescription(transport, options.url) : () => Promise.resolve(description);
  const parts = { ...options, transport, describe, versions: createVersions() };
  const members: Record<string, unknown> = { __proto__: null, [DESCRIBE]: describe };
  const client: unknown = new Proxy(members, {
    // `await client` must not call a resource.
    get: (known, name: string) =>
      name in known || name === "then" || typeof name === "symbol"
        ? known[name]
        : (known[name] = createCalls(parts, name)),
  });
  return client as Client<Api, In>;
}
