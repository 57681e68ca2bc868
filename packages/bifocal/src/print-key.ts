import type { IssuedApiKey } from "@bifocal/core";
import { type Io, print, tell } from "./io.ts";

/** The key alone is what was asked for, so that a script can take it; all else is told beside it. */
export function printKey(io: Io, { key, id, name, principalId, expiresAt }: IssuedApiKey): void {
  print(io, key);
  tell(io, `Key ${id} (${name}) of ${principalId}, good ${expiresAt === null ? "for ever" : `until ${expiresAt}`}.`);
  tell(io, "It is shown this once: only its hash is stored.");
}
