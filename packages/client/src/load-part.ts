import { BifocalError } from "./client-error.ts";

/** Awaits a module that bundlers put in a file of its own. Throws UNAVAILABLE if the file can't be loaded. */
export async function loadPart<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (cause) {
    throw new BifocalError("UNAVAILABLE", "Part of the client can't be loaded.", { cause });
  }
}
