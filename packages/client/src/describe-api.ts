import type { ClientDescription } from "@bifocal/core";
import { DESCRIBE } from "./describe-symbol.ts";

/** Returns the description of the API of a client. */
export async function describeApi(client: object): Promise<ClientDescription> {
  return (client as { readonly [DESCRIBE]: () => Promise<ClientDescription> })[DESCRIBE]();
}
