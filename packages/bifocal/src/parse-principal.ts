import type { Principal } from "@bifocal/core";
import { UsageError } from "./command.ts";

/** Reads `--as ann={"id":"ann"}`: a name and a principal. Throws `UsageError` for anything else. */
export function parsePrincipal(text: string): readonly [string, Principal] {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  try {
    const principal = JSON.parse(text.slice(at + 1)) as Principal | null;
    if (name !== "" && typeof principal?.id === "string") return [name, principal];
  } catch {
    // Reported below, like any other invalid principal.
  }
  throw new UsageError(
    `Invalid principal in --as '${text}'. Use <name>=<json>, for example --as 'ann={"id":"ann","roles":["editor"]}'.`,
  );
}
