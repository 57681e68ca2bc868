import type { Row } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { columnOf, type Tables } from "../table/table.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { addKey } from "./read-keys.ts";
import { type Build, createBuild } from "./scope.ts";
import type { StatementShape } from "./statement-shape.ts";
import {
  beforeShape,
  buildBefore,
  buildDelete,
  buildUpdate,
  noteUpdate,
  ownScope,
  type ReadBefore,
  returning,
  type WriteTarget,
} from "./write.ts";

/** A row that a single statement reads, locks and, if all checks pass, writes. */
export interface AtOnce extends WriteTarget {
  /** The versions that the row may have. */
  readonly versions?: readonly number[] | undefined;
}

/** The row before the write, whether the check passes, and the row after it if it was written. */
export interface ReadWritten {
  (rows: readonly (readonly unknown[])[]): (ReturnType<ReadBefore> & { readonly after: Row | undefined }) | undefined;
}

/** Names that the tables of an application won't have. */
const [BEFORE, AFTER] = [sql.id("bifocal_before"), sql.id("bifocal_after")];

export function updateAtOnceShape(dialect: Dialect, target: AtOnce & { readonly set: Row }): StatementShape {
  return noteVersions(noteUpdate(beforeShape(dialect, target).note(" update "), target), target);
}

export function deleteAtOnceShape(dialect: Dialect, target: AtOnce): StatementShape {
  return noteVersions(addKey(beforeShape(dialect, target).note(" delete "), target.key), target);
}

function noteVersions(shape: StatementShape, { versions }: AtOnce): StatementShape {
  return versions === undefined ? shape : shape.note(" of ").list(versions);
}

/** Plans an update whose condition reads the locked row, so that the row is locked before it is written. */
export function planUpdateAtOnce(
  dialect: Dialect,
  tables: Tables,
  target: AtOnce & { readonly set: Row },
): StatementPlan<ReadWritten> {
  const build = createBuild(dialect, tables);
  const { resource, check } = target;
  const table = tables.of(resource.name);
  const before = buildBefore(build, target);
  const start = table.columns.size + (check === undefined ? 0 : 1);
  const { list, readRow, columns } = returning(dialect, table, start);
  const keyAt = start + columns.findIndex(({ field }) => field.name === resource.key[0]);
  const passes = check === undefined ? sql`` : sql` where passes`;
  const update = sql`${buildUpdate(build, target)}${mayBe(build, target)} and exists (select 1 from ${BEFORE}${passes})`;
  return {
    statement: sql`with ${BEFORE} as (${before.statement}), ${AFTER} as (${update} returning ${list})
      select * from ${BEFORE} left join ${AFTER} on true`,
    read: (rows) => {
      const found = before.read(rows);
      const [values = []] = rows;
      // The key of a written row is never NULL.
      return found && { ...found, after: (values[keyAt] ?? null) === null ? undefined : readRow(values) };
    },
  };
}

export function planDeleteAtOnce(dialect: Dialect, tables: Tables, target: AtOnce): StatementPlan<ReadBefore> {
  const build = createBuild(dialect, tables);
  const before = buildBefore(build, target);
  const deleted = sql`${buildDelete(build, target.resource)}${mayBe(build, target)} and exists (select 1 from ${BEFORE})`;
  return {
    statement: sql`with ${BEFORE} as (${before.statement}), ${AFTER} as (${deleted}) select * from ${BEFORE}`,
    read: before.read,
  };
}

/** Takes its value after those of the write. */
function mayBe({ dialect, tables, slots }: Build, { resource, versions }: AtOnce): Sql {
  const { version } = resource;
  if (versions === undefined || version === undefined) return sql``;
  const table = tables.of(resource.name);
  const list = { index: slots.next(), slots: dialect.slotsOf(versions.length) };
  return sql` and ${dialect.isIn(columnOf(table, version), ownScope(table).value(version), list)}`;
}
