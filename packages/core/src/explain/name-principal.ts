import { isSystem, type Principal } from "../definition/principal.ts";

/** Returns a principal as text: `ann (editor)`. */
export function nameOfPrincipal(principal: Principal | null): string {
  if (principal === null) return "nobody";
  if (isSystem(principal)) return `the system (${principal["~system"]})`;
  const { id, roles = [] } = principal;
  return roles.length === 0 ? id : `${id} (${roles.join(", ")})`;
}
