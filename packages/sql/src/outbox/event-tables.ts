import type { WantedColumn, WantedTable } from "../schema/wanted.ts";
import type { DialectName } from "../dialect/dialect.ts";

/** What was committed, each change in the transaction that made it; its place comes later (ADR 21). */
export const EVENTS = "bifocal_event";

/** How far places are given, and from where on changes are kept: one row. */
export const EVENT_LOG = "bifocal_event_log";

/** Where `after` has the key of the row that was linked or unlinked. No field has such a name, so earlier versions ignore it. */
export const LINKED = " linked";

/** A column of a change: its name, and its type in words of each dialect. */
interface Types {
  readonly text: string;
  readonly name: string;
  readonly number: string;
}

/** SQLite has one writer, so there the order of ids is that of commits, and an id is the place. */
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
        // With the id, so that those without a place are found in order, however many have one.
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
