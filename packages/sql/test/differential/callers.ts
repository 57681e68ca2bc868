import { asSystem, type Principal } from "@bifocal/core";

/** Callers of two shops, a caller without a shop, an anonymous one, and the application itself. */
export const CALLERS = {
  ann: { id: "ann", claims: { shop: 1 } },
  bob: { id: "bob", claims: { shop: 1 } },
  eve: { id: "eve", claims: { shop: 2 } },
  lost: { id: "lost" },
  nobody: null,
  system: asSystem("a step", { tenant: 2 }),
} as const satisfies Readonly<Record<string, Principal | null>>;

export type CallerName = keyof typeof CALLERS;

/** The tenant of a caller. */
export function shopOf({ claims }: Principal): number | undefined {
  return claims?.["shop"] as number | undefined;
}

/** Returns the shop whose rows a caller reaches, if it has one. */
export function shopOfCaller(name: CallerName): number | undefined {
  const principal: Principal | null = CALLERS[name];
  return name === "system" ? 2 : principal === null ? undefined : shopOf(principal);
}
