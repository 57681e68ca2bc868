import { hasRole, type Principal } from "@bifocal/core";
import { z } from "zod";

/** Each row belongs to an organization: the tenant. No input contains it. */
export const orgId = z.uuid();

/** The organization of a caller. */
export function orgOf(principal: Principal | null): string | undefined {
  const id = principal?.claims?.["orgId"];
  return typeof id === "string" ? id : undefined;
}

/** Members of the row's organization. A caller without an organization is denied. */
export const members = ({ principal }: { readonly principal: Principal | null }) => ({
  orgId: { eq: orgOf(principal) },
});

export const admins = hasRole("admin");

/** A create hook that puts a new row into the caller's organization. */
export function inOwnOrg<Input extends object>({
  input,
  principal,
}: {
  readonly input: Input;
  readonly principal: Principal | null;
}) {
  return { ...input, orgId: orgOf(principal) ?? "" };
}
