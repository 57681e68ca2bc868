import { isBifocalError } from "../errors/bifocal-error.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { AnyFilter } from "./filters.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { callText, describeRule, nameOf, type RuleParts } from "./rule-parts.ts";
import { allow, deny } from "./rules.ts";

/** The result of one part of a composed rule, or the error that it threw. */
export interface PartAnswer {
  readonly rule: string;
  readonly answer?: unknown;
  readonly thrown?: unknown;
}

/** The result of a composed rule whose parts don't all return booleans. The engine combines the parts. */
export interface ComposedAnswer {
  readonly kind: "and" | "or" | "not" | "through";
  readonly parts: readonly PartAnswer[];
  readonly relation?: string | undefined;
}

/** The key is a symbol, so that no input that a rule returns can be mistaken for a composed answer. */
const COMPOSED = Symbol.for("bifocal.composedAnswer");

export function composedOf(answer: object): ComposedAnswer | undefined {
  return (answer as { readonly [COMPOSED]?: ComposedAnswer })[COMPOSED];
}

/**
 * Joins up to eight rules; nest calls to join more. Each rule has its own type parameter, which keeps literal types in
 * the filters that the rules return.
 */
type Answer = AnyFilter | boolean;

interface Join {
  <
    const A extends Answer = never,
    const B extends Answer = never,
    const C extends Answer = never,
    const D extends Answer = never,
    const E extends Answer = never,
    const F extends Answer = never,
    const G extends Answer = never,
    const H extends Answer = never,
  >(
    ...rules: readonly [Rule<A>, Rule<B>?, Rule<C>?, Rule<D>?, Rule<E>?, Rule<F>?, Rule<G>?, Rule<H>?]
  ): Rule<Exclude<A | B | C | D | E | F | G | H, boolean>>;
}

/**
 * Allows if all rules allow. Rules run from left to right until one returns `false`.
 * @example update: allOf(signedIn, owner("authorId"))
 */
export const allOf = ((...rules: readonly Rule[]) =>
  rules.includes(deny) ? deny : compose("and", rules, allow)) as Join;

/**
 * Allows if any rule allows. Rules run from left to right until one returns `true`.
 * @example update: anyOf(hasRole("editor"), owner("authorId"))
 */
export const anyOf = ((...rules: readonly Rule[]) =>
  rules.includes(allow) ? allow : compose("or", rules, deny)) as Join;

/** Allows if the rule denies. If the rule throws or returns an invalid answer, its opposite denies as well. */
export function unless<const A extends Answer = never>(given: Rule<A>): Rule<Exclude<A, boolean>> {
  const rule = given as Rule;
  if (rule === allow) return deny;
  if (rule === deny) return allow;
  const parts: RuleParts = { kind: "not", rules: [rule] };
  const text = `unless(${nameOf(rule)})`;
  return describeRule((context: RuleContext) => thenPart(ask(rule, context), negate) as never, text, parts);
}

/**
 * Allows rows that are related to at least one row that the rule allows.
 * @example read: through("book", owner("ownerId")) // reviews of my books
 */
export function through<const Name extends string>(relation: Name, rule: Rule): Rule<{ [K in Name]: AnyFilter }> {
  if (rule === deny) return deny;
  const parts: RuleParts = { kind: "through", rules: [rule], relation };
  const text = `${callText("through", [relation]).slice(0, -1)}, ${nameOf(rule)})`;
  const follow = (part: PartAnswer): unknown => (part.answer === false ? false : composed("through", [part], relation));
  return describeRule((context: RuleContext) => thenPart(ask(rule, context), follow) as never, text, parts);
}

/** Joins rules and drops `neutral`, which has no effect. `defineApi` rejects a rule joined from nothing. */
function compose(kind: "and" | "or", given: readonly Rule[], neutral: Rule): Rule {
  const rules = given.filter((rule) => rule !== neutral);
  if (rules.length === 0 && given.length > 0) return neutral;
  if (rules.length === 1 && typeof rules[0] === "function") return rules[0];
  const text = `${kind === "and" ? "allOf" : "anyOf"}(${rules.map(nameOf).join(", ")})`;
  const rule = (context: RuleContext): unknown => rules.length > 0 && askAll(kind, rules, context);
  return describeRule(rule as Rule, text, { kind, rules });
}

/** Runs the rules until one decides. Returns a boolean if all parts are booleans. */
function askAll(kind: "and" | "or", rules: readonly Rule[], context: RuleContext): MaybePromise<unknown> {
  const decisive = kind === "or";
  const parts: PartAnswer[] = [];
  function askFrom(start: number): MaybePromise<unknown> {
    for (let index = start; index < rules.length; index++) {
      const part = ask(rules[index] as Rule, context);
      if (part instanceof Promise) return part.then((settled) => (note(settled) ? decisive : askFrom(index + 1)));
      if (note(part)) return decisive;
    }
    return parts.every(({ answer }) => answer === !decisive) ? !decisive : composed(kind, parts);
  }
  function note(part: PartAnswer): boolean {
    parts.push(part);
    return part.answer === decisive;
  }
  return askFrom(0);
}

function negate(part: PartAnswer): unknown {
  return typeof part.answer === "boolean" ? !part.answer : composed("not", [part]);
}

function composed(kind: ComposedAnswer["kind"], parts: readonly PartAnswer[], relation?: string): object {
  return { [COMPOSED]: { kind, parts, relation } satisfies ComposedAnswer };
}

/** Runs a rule. A `BifocalError` is rethrown; any other error counts as no answer. */
function ask(rule: Rule, context: RuleContext): MaybePromise<PartAnswer> {
  const name = nameOf(rule);
  const fail = (thrown: unknown): PartAnswer => {
    if (isBifocalError(thrown)) throw thrown;
    return { rule: name, thrown };
  };
  try {
    const answer: unknown = rule(context);
    return answer instanceof Promise
      ? answer.then((settled: unknown) => ({ rule: name, answer: settled }), fail)
      : { rule: name, answer };
  } catch (thrown) {
    return fail(thrown);
  }
}

function thenPart(part: MaybePromise<PartAnswer>, then: (part: PartAnswer) => unknown): MaybePromise<unknown> {
  return part instanceof Promise ? part.then(then) : then(part);
}
