import type { IssuedApiKey } from "@bifocal/core";
import { type Io, print, printMessage } from "./io.ts";

/** Prints only the key to stdout, so that scripts can capture it, and its details to stderr. */
export function printKey(io: Io, { key, id, name, principalId, expiresAt }: IssuedApiKey): void {
  print(io, key);
  printMessage(
    io,
    `Key ${id} (${name}) for ${principalId}, ${expiresAt === null ? "never expires" : `valid until ${expiresAt}`}.`,
  );
  printMessage(io, "Store it now. It can't be shown again, because only its hash is kept.");
}
