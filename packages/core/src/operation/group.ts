import type { Json } from "../util/json.ts";

/**
 * A group in the form of responses: `{ group: { genre: "novel" }, count: 12, avg: { price: 10.2 } }`. It has the
 * requested values only.
 */
export interface Group {
  /** The values of the group terms, by name. */
  readonly group: Readonly<Record<string, Json>>;
  readonly count?: number;
  readonly sum?: Readonly<Record<string, Json>>;
  readonly avg?: Readonly<Record<string, Json>>;
  readonly min?: Readonly<Record<string, Json>>;
  readonly max?: Readonly<Record<string, Json>>;
}

/** Returns the value of a measure in a group, by its name: `count` or `avg.price`. */
export function measureValue(group: Group, name: string): Json {
  if (name === "count") return group.count ?? 0;
  const dot = name.indexOf(".");
  const values = group[name.slice(0, dot) as "sum" | "avg" | "min" | "max"];
  return values?.[name.slice(dot + 1)] ?? null;
}
