import { isBifocalError } from "../errors/bifocal-error.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import type { AnyFilter } from "./filters.ts";
import { callText, describeRule, nameOf, type RuleParts } from "./rule-parts.ts";
import { allow, deny, type Rule, type RuleContext } from "./rules.ts";

/** What one part of a composed rule said: an answer, or what it threw instead. */
export interface PartAnswer {
  readonly rule: string;
  readonly answer?: unknown;
  readonly thrown?: unknown;
}

/** The answer of a composed rule that no plain yes or no decided; the engine puts its parts together. */
export interface ComposedAnswer {
  readonly kind: "and" | "or" | "not" | "through";
  readonly parts: readonly PartAnswer[];
  readonly relation?: string | undefined;
}

/** A symbol, so that no input that a rule passes on can be taken for one. */
const COMPOSED = Symbol.for("bifocal.composedAnswer");

export function composedOf(answer: object): ComposedAnswer | undefined {
  return (answer as { readonly [COMPOSED]?: ComposedAnswer })[COMPOSED];
}

/**
 * Joins up to eight rules; more are joined by joining the joined. A parameter each keeps the types of literals in the
 * filters that they answer with.
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
 * Yes where all of them say yes. Asked from left to right, until one says a plain no.
 *
 * @example update: and(signedIn, owner("authorId"))
 */
export const and = ((...rules: readonly Rule[]) =>
  rules.includes(deny) ? deny : compose("and", rules, allow)) as Join;

/**
 * Yes where any of them says yes. Asked from left to right, until one says a plain yes.
 *
 * @example update: or(hasRole("editor"), owner("authorId"))
 */
export const or = ((...rules: readonly Rule[]) => (rules.includes(allow) ? allow : compose("or", rules, deny))) as Join;

/** Yes where it says no. A rule that gives no answer says neither, so its opposite denies as well. */
export function not<const A extends Answer = never>(given: Rule<A>): Rule<Exclude<A, boolean>> {
  const rule = given as Rule;
  if (rule === allow) return deny;
  if (rule === deny) return allow;
  const parts: RuleParts = { kind: "not", rules: [rule] };
  const text = `not(${nameOf(rule)})`;
  return describeRule((context: RuleContext) => thenPart(ask(rule, context), negate) as never, text, parts);
}

/**
 * Yes for rows that lead along a relation to a row, or to at least one, of which the rule says yes.
 *
 * @example read: through("book", owner("ownerId"))   // reviews of my books
 */
export function through<const Name extends string>(relation: Name, rule: Rule): Rule<{ [K in Name]: AnyFilter }> {
  if (rule === deny) return deny;
  const parts: RuleParts = { kind: "through", rules: [rule], relation };
  const text = `${callText("through", [relation]).slice(0, -1)}, ${nameOf(rule)})`;
  const follow = (part: PartAnswer): unknown => (part.answer === false ? false : composed("through", [part], relation));
  return describeRule((context: RuleContext) => thenPart(ask(rule, context), follow) as never, text, parts);
}

/** `neutral` changes nothing, so it is left out. Of nothing at all it is no rule: the start refuses it. */
function compose(kind: "and" | "or", given: readonly Rule[], neutral: Rule): Rule {
  const rules = given.filter((rule) => rule !== neutral);
  if (rules.length === 0 && given.length > 0) return neutral;
  if (rules.length === 1 && typeof rules[0] === "function") return rules[0];
  const text = `${kind}(${rules.map(nameOf).join(", ")})`;
  const rule = (context: RuleContext): unknown => rules.length > 0 && askAll(kind, rules, context);
  return describeRule(rule as Rule, text, { kind, rules });
}

/** Asks until one decides; a plain answer where all of them are plain. */
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

/** An error of the rule's own choice goes through; any other throw is no answer. */
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
