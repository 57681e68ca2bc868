import type { Row } from "../../model/model.ts";
import type { Node, PageNode, RawRelation, RawRows } from "../../operation/outcome.ts";
import type { Json } from "../../util/json.ts";

type Draft = Record<string, Json | Node | PageNode | undefined>;

/** The rows of one relation of a level. */
export interface RelatedRows extends RawRelation {
  readonly as: string;
  readonly nodeOf: (row: Row) => Node | PageNode | null;
}

/** A selected name that some rows hide, and the test whether a row shows it. */
export interface RuledField {
  readonly name: string;
  readonly matches: (row: Row) => boolean;
}

/** The parts of a selection's plan that decide what its nodes contain. */
export interface NodePlan {
  readonly fields: readonly string[];
  /** True if the stored rows can serve as nodes. */
  readonly whole: boolean;
  /** True if the caller can read everything selected, including relations, on every row. */
  readonly clean: boolean;
  /** Selected names that the caller can't read on any row. */
  readonly hidden: ReadonlySet<string>;
}

/** The rows of one level of a selection, with everything read below them. Nodes are built on first use. */
export class Level implements RawRows {
  readonly rows: readonly Row[];
  readonly related: ReadonlyMap<string, RawRelation>;
  readonly #plan: NodePlan;
  readonly #decided: readonly RuledField[];
  #nodes: readonly Node[] | undefined;

  constructor(
    plan: NodePlan,
    rows: readonly Row[],
    related: readonly RelatedRows[] = [],
    decided: readonly RuledField[] = [],
  ) {
    this.rows = rows;
    this.related = related.length === 0 ? NOTHING : new Map(related.map((one) => [one.as, one]));
    this.#plan = plan;
    this.#decided = decided;
  }

  get raw(): RawRows | undefined {
    return this.#plan.clean ? this : undefined;
  }

  get nodes(): readonly Node[] {
    this.#nodes ??= this.#plan.whole ? this.rows : this.rows.map((row) => this.#toNode(row));
    return this.#nodes;
  }

  #toNode(row: Row): Node {
    const node: Draft = {};
    for (const name of this.#plan.fields) node[name] = row[name];
    for (const one of this.related.values() as Iterable<RelatedRows>) node[one.as] = one.nodeOf(row);
    // Hidden names remain in the node as undefined, so that each style can report them in its own way.
    for (const name of this.#plan.hidden) node[name] = undefined;
    for (const { name, matches } of this.#decided) if (!matches(row)) node[name] = undefined;
    return node;
  }
}

const NOTHING: ReadonlyMap<string, RelatedRows> = new Map();
