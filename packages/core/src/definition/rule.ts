import type { AnyFilter, FilterOf } from "./filters.ts";
import type { Principal } from "./principal.ts";

/** The argument of a rule. `input` is the validated input of a create, update or action; otherwise undefined. */
export interface RuleContext {
  readonly principal: Principal | null;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * `true`, `false` or a filter that rows must match. Anything else, including `undefined`, denies, and so does an error.
 */
export type RuleAnswer<Filter = AnyFilter> = boolean | Filter;

/**
 * Decides whether the caller may do something. A returned filter becomes part of the statement that reads or writes.
 * @example update: ({ principal }) => ({ authorId: { eq: principal?.id } })
 */
export type Rule<Filter = AnyFilter> = (context: RuleContext) => RuleAnswer<Filter> | Promise<RuleAnswer<Filter>>;

/** A rule over the rows of one resource. Related rows are filtered by the relation's name. */
export type RowRule<Row, RelationName extends string> = Rule<RowFilter<Row, RelationName>>;

/** A filter over the rows of one resource, in the form of rules. */
export type RowFilter<Row, RelationName extends string> = FilterOf<Row, RelatedFilters<RelationName>>;

// If no relations are given, TypeScript infers `string` as their names, which would include `and` and `or`.
type RelatedFilters<Name extends string> = string extends Name ? unknown : { [K in Name]: AnyFilter };
