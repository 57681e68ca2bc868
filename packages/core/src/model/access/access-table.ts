import type { Right } from "./rights.ts";

/**
 * `yes` and `no` apply to every row, `rows` to those that match the filter. `input`: the rule read the input, and no
 * input was passed. `none`: the rule gave no answer, which denies, and `not` doesn't turn it into `yes`.
 */
export type RuleResult = "yes" | "no" | "rows" | "input" | "none";

/** One right on a resource, with the decision for each principal. */
export interface AccessRow extends Pick<Right, "subject" | "kind" | "right" | "isDefault"> {
  readonly resource: string;
  /** The rules that decide, as source text. */
  readonly rules: readonly string[];
  /** One for each principal, in the order of the table. */
  readonly cells: readonly AccessCell[];
}

export interface AccessCell {
  readonly answer: RuleResult;
  /** The rows that the decision covers. */
  readonly where: string;
}

/** The rights of several principals on all resources. */
export interface AccessTable {
  readonly principals: readonly string[];
  readonly rows: readonly AccessRow[];
}

/** The rights to evaluate. Default: all rights on all resources. */
export interface AccessTableOptions {
  /** Name of the only resource. */
  readonly resource?: string;
  readonly kinds?: readonly Right["kind"][];
}
