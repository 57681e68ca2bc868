/** Bun's server, the second argument of its `fetch`. */
interface BunServer {
  readonly requestIP: (request: Request) => { readonly address: string } | null;
}

/** The connection of a request, the second argument of Deno's handlers. */
interface DenoConnection {
  readonly remoteAddr: { readonly hostname?: string };
}

/** Returns the address of a client as `Bun.serve` and `Deno.serve` report it. Other hosts report none. */
export function clientAddress(request: Request, host: unknown): string | undefined {
  if (typeof host !== "object" || host === null) return undefined;
  if ("requestIP" in host) return (host as BunServer).requestIP(request)?.address;
  return "remoteAddr" in host ? (host as DenoConnection).remoteAddr.hostname : undefined;
}
