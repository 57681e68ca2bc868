import type { Rule } from "./rule.ts";

/**
 * The structure of a rule, for checks and explanations: `and`, `or` and `not` of other rules, `through` a relation, or
 * a plain function that filters by the listed fields.
 */
export interface RuleParts {
  readonly kind: "and" | "or" | "not" | "through" | "plain";
  readonly rules: readonly Rule[];
  readonly relation?: string;
  readonly fields?: readonly string[];
  /** The roles of which it requires one. */
  readonly roles?: readonly string[];
  /** The scope that it requires of the credential. */
  readonly scope?: string;
  /** Whether a plain rule reads only the caller, so that it allows all rows or none. */
  readonly callerOnly?: boolean;
}

const PARTS = Symbol.for("bifocal.ruleParts");
const PLAIN: RuleParts = Object.freeze({ kind: "plain", rules: [] });
export const CALLER_ONLY: RuleParts = Object.freeze({ kind: "plain", rules: [], callerOnly: true });

/** Sets the name by which a rule is explained, and its structure. */
export function describeRule<R extends (context: never) => unknown>(rule: R, name: string, parts = PLAIN): R {
  Object.defineProperty(rule, "name", { value: name, configurable: true });
  Object.defineProperty(rule, PARTS, { value: parts });
  return rule;
}

export function partsOf(rule: Rule): RuleParts {
  return (rule as { readonly [PARTS]?: RuleParts })[PARTS] ?? PLAIN;
}

/** Returns whether a rule certainly allows all rows or none. A function that the host wrote might return a filter. */
export function allowsAllOrNone(rule: Rule): boolean {
  const { kind, rules, callerOnly = false } = partsOf(rule);
  if (kind === "plain") return callerOnly;
  return kind !== "through" && rules.every(allowsAllOrNone);
}

/** Returns a rule's name, such as `hasRole("editor")`. The value may be anything in plain JavaScript. */
export function nameOf(rule: unknown): string {
  if (typeof rule === "function" && rule.name !== "") return rule.name;
  if (rule === undefined || rule === null) return String(rule);
  return typeof rule === "object" ? "an object" : `a ${typeof rule}`;
}

/** Returns a call as source text: `owner("authorId")`. */
export function callText(name: string, args: readonly string[]): string {
  return `${name}(${args.map((arg) => JSON.stringify(arg)).join(", ")})`;
}
