import { DefinitionError, type DefinitionMistake } from "../errors/definition-error.ts";
import type { Simplify } from "../util/simplify.ts";
import type { UnionToIntersection } from "../util/union-to-intersection.ts";
import { allOf } from "./compose-rules.ts";
import type { FieldShape } from "./fields.ts";
import { joinHooks } from "./join-hooks.ts";
import type { RelationShape } from "./relations.ts";
import type { Rule } from "./rule.ts";
import type { TypeMistake } from "./type-error.ts";

/** Part of a resource definition that several resources share: fields with their generators, rules, hooks and so on. */
export interface Trait {
  readonly fields?: FieldShape;
  readonly generated?: Readonly<Record<string, unknown>>;
  readonly relations?: RelationShape;
  readonly computed?: Readonly<Record<string, unknown>>;
  readonly actions?: Readonly<Record<string, unknown>>;
  readonly queries?: Readonly<Record<string, unknown>>;
  readonly access?: Readonly<Record<string, unknown>>;
  readonly hooks?: Readonly<Record<string, object>>;
  readonly filterable?: readonly string[];
  readonly sortable?: readonly string[];
  readonly aggregatable?: readonly string[];
  readonly groupable?: readonly string[];
  readonly internal?: readonly string[];
  readonly secret?: readonly string[];
  readonly filledByHook?: readonly string[];
  readonly immutable?: readonly string[];
  readonly unique?: readonly (string | readonly string[])[];
  readonly search?: readonly string[];
  readonly softDelete?: string;
  readonly version?: string;
  readonly tenant?: { readonly field: string; readonly of: (principal: never) => unknown };
}

/** Options that one trait at most can set. */
type SingleName = "softDelete" | "version" | "tenant";
type MapName = "fields" | "generated" | "relations" | "computed" | "actions" | "queries";

const PARTS: Readonly<Record<keyof Trait, true>> = {
  fields: true,
  generated: true,
  relations: true,
  computed: true,
  actions: true,
  queries: true,
  access: true,
  hooks: true,
  filterable: true,
  sortable: true,
  aggregatable: true,
  groupable: true,
  internal: true,
  secret: true,
  filledByHook: true,
  immutable: true,
  unique: true,
  search: true,
  softDelete: true,
  version: true,
  tenant: true,
};
const SINGLE: ReadonlySet<string> = new Set(["softDelete", "version", "tenant"] satisfies readonly SingleName[]);
const FIX = `Set it in the definition of the resource. Parts of traits: ${Object.keys(PARTS).join(", ")}.`;

function isPart(name: string): boolean {
  return Object.hasOwn(PARTS, name);
}

/** The part of a trait, or `never` if the trait doesn't have it. */
type PartOf<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : never) : never;
type NamesOf<T> = T extends unknown ? keyof T : never;
type KeysOf<T, Name> = [PartOf<T, Name>] extends [never] ? never : keyof PartOf<T, Name>;

/** The members of this part that two traits define. */
type Repeated<Traits, Name, Known = never> = Traits extends readonly [infer First, ...infer Others]
  ? (KeysOf<First, Name> & Known) | Repeated<Others, Name, Known | KeysOf<First, Name>>
  : never;
type RepeatedInAny<Traits, Name> = Name extends unknown ? Repeated<Traits, Name> : never;

/** The single options that two traits set. */
type SetTwice<Traits, Known = never> = Traits extends readonly [infer First, ...infer Others]
  ? (keyof First & Known & SingleName) | SetTwice<Others, Known | keyof First>
  : never;

type CheckTraits<Traits extends readonly Trait[]> = [Exclude<NamesOf<Traits[number]>, keyof Trait>] extends [never]
  ? [RepeatedInAny<Traits, MapName>] extends [never]
    ? [SetTwice<Traits>] extends [never]
      ? unknown
      : TypeMistake<`Two traits set '${SetTwice<Traits>}'. Remove it from one of them.`>
    : TypeMistake<`Two traits define '${RepeatedInAny<Traits, MapName> & string}'. Rename it in one of them.`>
  : TypeMistake<`A trait can't contain '${Exclude<NamesOf<Traits[number]>, keyof Trait> & string}'.`>;

/** The definition that several traits make up. */
export type Composed<Traits extends readonly Trait[]> = {
  readonly [Name in NamesOf<Traits[number]>]: PartOf<Traits[number], Name> extends readonly unknown[]
    ? readonly PartOf<Traits[number], Name>[number][]
    : Name extends SingleName
      ? PartOf<Traits[number], Name>
      : Simplify<UnionToIntersection<PartOf<Traits[number], Name>>>;
};

/**
 * Returns a trait unchanged, with the literal types of its names.
 * @example const timestamps = () => trait({ fields: { createdAt: z.iso.datetime() }, generated: { createdAt: now() } });
 */
export function trait<const T extends Trait>(part: T): T {
  return part;
}

/**
 * Merges traits into one definition, to be spread into that of a resource. Fields, relations, actions and queries are put together,
 * and a name that two traits define is an error. Lists are concatenated. Hooks run in the order of the traits, and rules
 * for the same thing must all allow it.
 * @example defineResource("note", { ...compose(timestamps(), ownedBy("userId")), … });
 */
export function compose<const Traits extends readonly Trait[]>(
  ...traits: Traits & CheckTraits<Traits>
): Composed<Traits> {
  const mistakes: DefinitionMistake[] = [];
  const merged: Record<string, unknown> = {};
  for (const part of traits as readonly Trait[]) {
    for (const [name, value] of Object.entries(part)) {
      if (isPart(name)) merged[name] = mergePart(name, merged[name], value, mistakes);
      else mistakes.push({ at: `compose.${name}`, problem: `A trait can't contain '${name}'.`, fix: FIX });
    }
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
  return merged as Composed<Traits>;
}

type Members = Readonly<Record<string, unknown>>;

function mergePart(name: string, before: unknown, value: unknown, mistakes: DefinitionMistake[]): unknown {
  if (before === undefined || value === undefined) return before ?? value;
  if (SINGLE.has(name)) {
    const problem = `Two traits set '${name}'.`;
    mistakes.push({ at: `compose.${name}`, problem, fix: "Remove it from one of them." });
    return before;
  }
  if (Array.isArray(before) && Array.isArray(value)) return [...new Set<unknown>([...before, ...value])];
  if (name === "hooks") return joinHooks(before as Members, value as Members);
  if (name === "access") return joinRules(before, value);
  for (const member of Object.keys(value as Members)) {
    if (!Object.hasOwn(before as Members, member)) continue;
    const problem = `Two traits define '${member}'.`;
    mistakes.push({ at: `compose.${name}.${member}`, problem, fix: "Rename it in one of them." });
  }
  return { ...(before as Members), ...(value as Members) };
}

/** Joins the rules of two traits, at any depth: `access.read`, `access.fields.price.write`. */
function joinRules(before: unknown, value: unknown): unknown {
  if (before === undefined || value === undefined) return before ?? value;
  if (typeof before === "function" && typeof value === "function") return allOf(before as Rule, value as Rule);
  const joined: Record<string, unknown> = { ...(before as Members) };
  for (const [name, rule] of Object.entries(value as Members)) joined[name] = joinRules(joined[name], rule);
  return joined;
}
