import type { ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import type { GroupPage } from "../../operation/visible-rows.ts";
import type { Selection } from "../../operation/selection.ts";
import type {
  RawRelation,
  RawRelations,
  RawRow,
  RowPage,
  RowWriter,
  ReadableRow,
} from "../../operation/visible-rows.ts";

/** The rows of one relation of a level. */
export interface RelatedRows extends RawRelation {
  readonly as: string;
  readonly level: Level;
}

/** A selected name that some rows hide, and the test whether a row shows it. */
export interface RuledField {
  readonly name: string;
  readonly matches: (row: Row) => boolean;
}

/** The parts of a selection's plan that decide what a caller sees. */
export interface LevelPlan {
  readonly resource: ResourceModel;
  readonly selection: Selection;
  readonly fields: readonly string[];
  /** True if the stored rows hold exactly what is selected, and the caller can read all of it. */
  readonly whole: boolean;
  /** True if the caller can read everything selected, including relations, on every row. */
  readonly clean: boolean;
  /** Selected names that the caller can't read on any row. */
  readonly hidden: ReadonlySet<string>;
}

/** The rows of one level of a selection, with everything read below them. Only `raw` and `write` let values out. */
export class Level {
  readonly rows: readonly Row[];
  readonly #plan: LevelPlan;
  readonly #related: ReadonlyMap<string, RelatedRows>;
  readonly #decided: readonly RuledField[];

  constructor(
    plan: LevelPlan,
    rows: readonly Row[],
    related: readonly RelatedRows[] = NONE,
    decided: readonly RuledField[] = NONE,
  ) {
    this.rows = rows;
    this.#plan = plan;
    this.#related = related.length === 0 ? NOTHING : new Map(related.map((one) => [one.as, one]));
    this.#decided = decided;
  }

  /** True if the caller can read everything selected on every row. */
  get isClean(): boolean {
    return this.#plan.clean;
  }

  get resource(): ResourceModel {
    return this.#plan.resource;
  }

  get related(): RawRelations {
    return this.#related;
  }

  /** Returns the row at this index, which must exist. */
  rowAt(index: number): ReadableRow {
    return new LevelRow(this, this.rows[index] as Row);
  }

  hides(row: Row, name: string): boolean {
    if (this.#plan.hidden.has(name)) return true;
    for (const ruled of this.#decided) if (ruled.name === name && !ruled.matches(row)) return true;
    return false;
  }

  relatedTo(row: Row, as: string): ReadableRow | RowPage | GroupPage | null | undefined {
    const related = this.hides(row, as) ? undefined : this.#related.get(as);
    if (related === undefined) return undefined;
    if (related.pageOf !== undefined) return related.pageOf(row);
    if (related.groupsOf !== undefined) return related.groupsOf(row);
    const found = related.rowOf?.(row) ?? null;
    return found && new LevelRow(related.level, found);
  }

  /** Visits some rows of the level. */
  writeAll<Result>(
    rows: readonly Row[],
    writer: RowWriter<Result>,
    selection: Selection = this.#plan.selection,
  ): readonly Result[] {
    const { reuse } = writer;
    if (reuse !== undefined && this.#isWhole(selection)) return rows.map(reuse);
    return rows.map((row) => this.#visit(row, writer, selection));
  }

  write<Result>(row: Row, writer: RowWriter<Result>, selection: Selection = this.#plan.selection): Result {
    const { reuse } = writer;
    return reuse !== undefined && this.#isWhole(selection) ? reuse(row) : this.#visit(row, writer, selection);
  }

  #isWhole({ fields, relations }: Selection): boolean {
    return this.#plan.whole && relations.length === 0 && fields.length === this.#plan.fields.length;
  }

  #visit<Result>(row: Row, writer: RowWriter<Result>, { fields, relations }: Selection): Result {
    const { resource, clean } = this.#plan;
    const result = writer.create(resource);
    writer.key?.(result, keyOf(resource, row));
    for (const name of fields) {
      const value = clean || !this.hides(row, name) ? row[name] : undefined;
      if (value === undefined) writer.denied?.(result, name);
      else writer.field(result, name, value, resource);
    }
    for (const selected of relations) {
      const related = clean || !this.hides(row, selected.as) ? this.#related.get(selected.as) : undefined;
      if (related === undefined) writer.denied?.(result, selected.as);
      else if (related.pageOf !== undefined) writer.many(result, selected, related.pageOf(row));
      else if (related.groupsOf !== undefined)
        writer.groups?.(result, selected, related.groupsOf(row), related.level.resource);
      else {
        const found = related.rowOf?.(row) ?? null;
        writer.one(result, selected, found && related.level.write(found, writer, selected.selection));
      }
    }
    return result;
  }
}

class LevelRow implements ReadableRow {
  readonly #level: Level;
  readonly #row: Row;

  constructor(level: Level, row: Row) {
    this.#level = level;
    this.#row = row;
  }

  get raw(): RawRow | undefined {
    return this.#level.isClean ? { row: this.#row, related: this.#level.related } : undefined;
  }

  related(as: string): ReadableRow | RowPage | GroupPage | null | undefined {
    return this.#level.relatedTo(this.#row, as);
  }

  write<Result>(writer: RowWriter<Result>, selection?: Selection): Result {
    return this.#level.write(this.#row, writer, selection);
  }
}

const NOTHING: ReadonlyMap<string, RelatedRows> = new Map();
const NONE: readonly never[] = [];
