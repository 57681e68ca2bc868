import type { WantedColumn, WantedTable } from "../schema/wanted.ts";
import type { DialectName } from "../dialect/dialect.ts";

/** The committed changes. Each is written in the transaction of its change and gets its position later (ADR 21). */
export const EVENTS = "bifocal_event";

/** A single row with the last assigned position and the position up to which changes were deleted. */
export const EVENT_LOG = "bifocal_event_log";

/**
 * The member of `after` with the key of the linked or unlinked row. No field can have this name, so earlier versions
 * ignore it.
 */
export const LINKED = " linked";

/** The types of a dialect for the columns of a change. */
interface Types {
  readonly text: string;
  readonly name: string;
  readonly number: string;
}

/** SQLite has one writer, so ids are in commit order and serve as positions. */
export function eventTables(dialect: DialectName, { text, name, number }: Types): readonly WantedTable[] {
  const column = (named: string, type: string, nullable = false): WantedColumn => ({
    name: named,
    type,
    nullable,
    isCounted: false,
  });
  const isPlaced = dialect !== "sqlite";
  const place = isPlaced ? "place" : "id";
  return [
    {
      schema: undefined,
      name: EVENTS,
      columns: [
        { name: "id", type: number, nullable: false, isCounted: true },
        ...(isPlaced ? [column("place", number, true)] : []),
        column("resource", name),
        column("kind", name),
        column("key", text),
        column("before", text, true),
        column("after", text, true),
        column("written", number),
      ],
      primaryKey: ["id"],
      uniques: [],
      indexes: [
        // The index includes the id, so that changes without a position are found in order, regardless of how many have
        // one. PostgreSQL uses this only for `order by place, id`.
        ...(isPlaced ? [{ name: "bifocal_event_place_idx", columns: ["place", "id"] }] : []),
        { name: "bifocal_event_resource_idx", columns: ["resource", place] },
      ],
      foreignKeys: [],
    },
    {
      schema: undefined,
      name: EVENT_LOG,
      columns: [column("id", number), column("name", name), column("place", number), column("pruned", number)],
      primaryKey: ["id"],
      uniques: [],
      indexes: [],
      foreignKeys: [],
    },
  ];
}
