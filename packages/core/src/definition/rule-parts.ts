import type { Rule } from "./rules.ts";

/**
 * How a rule is made, for whoever explains or checks it: `and`, `or` and `not` of others, `through` a relation, or a plain
 * function that filters by the named fields.
 */
export interface RuleParts {
  readonly kind: "and" | "or" | "not" | "through" | "plain";
  readonly rules: readonly Rule[];
  readonly relation?: string;
  readonly fields?: readonly string[];
  /** What it asks of the credential. */
  readonly scope?: string;
}

const PARTS = Symbol.for("bifocal.ruleParts");
const PLAIN: RuleParts = Object.freeze({ kind: "plain", rules: [] });

/** Gives a rule the name by which it is explained, and says how it is made. */
export function describeRule<R extends (context: never) => unknown>(rule: R, name: string, parts = PLAIN): R {
  Object.defineProperty(rule, "name", { value: name, configurable: true });
  Object.defineProperty(rule, PARTS, { value: parts });
  return rule;
}

export function partsOf(rule: Rule): RuleParts {
  return (rule as { readonly [PARTS]?: RuleParts })[PARTS] ?? PLAIN;
}

/** `hasRole("editor")`; what has no name is a function. Plain JavaScript may have written anything. */
export function nameOf(rule: unknown): string {
  return typeof rule === "function" && rule.name !== "" ? rule.name : `a ${typeof rule}`;
}

/** A call as it was written: `owner("authorId")`. */
export function callText(name: string, args: readonly string[]): string {
  return `${name}(${args.map((arg) => JSON.stringify(arg)).join(", ")})`;
}
