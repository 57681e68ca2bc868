import type { ResourceTypes } from "./resource-types.ts";
import type { RowRule } from "./rule.ts";

/** Any resource. Its config is opaque, so that resources with different rows fit into one list. */
export type AnyResource = {
  readonly "~bifocal": "resource";
  readonly name: string;
  readonly "~types"?: { readonly row: object; readonly input: object };
  readonly config: object;
};

/** The types of a resource, as in `TypesOf<typeof book>["row"]`. */
export type TypesOf<R extends AnyResource> = NonNullable<R["~types"]>;

/** One of a resource's types that its definition doesn't have to set. */
export type TraitOf<R extends AnyResource, Name extends keyof ResourceTypes, Default = never> =
  TypesOf<R> extends { readonly [K in Name]: infer T } ? T : Default;

/** The relations of a resource by name. */
export type RelationsOf<R extends AnyResource> = TraitOf<R, "relations", {}>;

/**
 * The type of a rule over a resource's rows, for rules defined outside of it.
 * @example const mine: RuleOf<typeof book> = ({ principal }) => ({ ownerId: { eq: principal?.id } });
 */
export type RuleOf<R extends AnyResource> = RowRule<TypesOf<R>["row"], keyof RelationsOf<R> & string>;
