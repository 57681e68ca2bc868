import type { AggregateFunction, DatePart } from "../definition/aggregate-functions.ts";

/** A value that is computed from the rows of a group: the number of rows, or a function of the values of a field. */
export type Measure =
  | { readonly function: "count"; readonly field?: never }
  | { readonly function: AggregateFunction; readonly field: string };

/** A field by whose value rows are grouped, or a part of it. Parts of datetimes are in UTC. */
export interface GroupTerm {
  readonly field: string;
  readonly part?: DatePart;
  /** The to-one relation that leads to the field. */
  readonly relation?: string;
}

/** Returns the name of a measure: `count` or `avg.price`. */
export function measureName({ function: name, field }: Measure): string {
  return field === undefined ? name : `${name}.${field}`;
}

/** Returns the name of a group term: `genre`, `createdAt.month` or `author.name`. */
export function groupTermName({ relation, field, part }: GroupTerm): string {
  const name = relation === undefined ? field : `${relation}.${field}`;
  return part === undefined ? name : `${name}.${part}`;
}
