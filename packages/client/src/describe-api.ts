import type { ClientDescription } from "@bifocal/core";
import { DESCRIBE } from "./describe-symbol.ts";

interface Described {
  readonly [DESCRIBE]: () => Promise<ClientDescription>;
}

/** Throws a `TypeError` unless a value is the result of `createClient`. */
export function requireClient(client: unknown): Described {
  if (typeof (client as Partial<Described> | null | undefined)?.[DESCRIBE] === "function") return client as Described;
  throw new TypeError("Pass the client that createClient() returns.");
}

/** Returns the description of the API of a client. */
export async function describeApi(client: object): Promise<ClientDescription> {
  return requireClient(client)[DESCRIBE]();
}
