import type { Principal } from "@bifocal/core";
import { z } from "zod";

/** The organization that a row belongs to. */
export const orgId = z.uuid();

/** The organization of a caller. */
export function orgOf(principal: Principal | null): string | undefined {
  const id = principal?.claims?.["orgId"];
  return typeof id === "string" ? id : undefined;
}

/** The server sets the organization of each row, and no caller can read, change or name that of another one. */
export const tenant = { field: "orgId", of: orgOf } as const;
