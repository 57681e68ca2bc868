import fc from "fast-check";
import { OWNERS } from "./callers.ts";
import type { SchemaPlan } from "./schema-plan.ts";
import { kindOf } from "./values.ts";

/** A row without its key and references. */
export interface RowValues {
  readonly color: number;
  readonly size: number;
  readonly ownerId: string;
  readonly price: number;
  /** Internal. */
  readonly hidden: number;
  /** Also holds `secret`, `revision` and the drawn fields of the schema. */
  readonly [field: string]: unknown;
}

export interface Row extends RowValues {
  readonly id: number;
  readonly boxId: number | null;
  /** Unique. */
  readonly code: number | null;
}

export interface Note {
  readonly id: number;
  readonly rowId: number | null;
  readonly text: string;
}

export interface Tag {
  readonly id: number;
  readonly color: number;
  readonly size: number;
  readonly ownerId: string;
}

export type Link = readonly [rowId: number, tagId: number];

/** An entry in the history of a row, which may no longer exist. Its id is of no importance. */
export interface Entry {
  readonly rowId: number;
  readonly at: string;
  readonly by: string | null;
  readonly operation: string;
  readonly action: string | null;
  readonly names: readonly string[];
  readonly entries: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
  readonly ended: boolean;
}

/** All data of a world. */
export interface State {
  /** Those that are not deleted. */
  readonly rows: readonly Row[];
  readonly deleted: readonly Row[];
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
  readonly tags: readonly Tag[];
  readonly links: readonly Link[];
}

export const small = fc.integer({ min: 0, max: 2 });
const owner = fc.constantFrom(...OWNERS);

/** Values of the drawn fields, each one of three or missing. */
export const drawnValues = ({ fields }: SchemaPlan): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc
    .tuple(...fields.map(() => fc.integer({ min: 0, max: 3 })))
    .map((all) => Object.fromEntries(fields.map((field, at) => [field.name, valueAt(field, all[at] ?? 0)])));

export function valueAt({ kind, isNullable }: SchemaPlan["fields"][number], at: number): unknown {
  return at === 3 && isNullable ? null : kindOf(kind).values[at % 3];
}

/** The field that references to groups share. The server sets it. */
export function realmIn({ referencesGroup }: SchemaPlan): { readonly realm?: number } {
  return referencesGroup ? { realm: REALM } : {};
}

/** The time at which a row was deleted. */
export function deletedIn({ hasSoftDelete }: SchemaPlan, time: string | null): { readonly deletedAt?: string | null } {
  return hasSoftDelete ? { deletedAt: time } : {};
}

/** Times in drawn worlds are before the first request. */
export const timeAt = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** Changes of fields that all, some or no callers can read. */
export const entryOf = ({ fields }: SchemaPlan): fc.Arbitrary<Omit<Entry, "at">> => {
  const names = ["color", "price", "hidden", ...fields.map(({ name }) => name)];
  return fc
    .record({
      rowId: fc.nat(5),
      by: fc.option(fc.constantFrom(...OWNERS)),
      operation: fc.constantFrom("create", "update", "update", "delete"),
      action: fc.option(fc.constant("mark")),
      names: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }),
      to: small,
      ended: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    })
    .map(({ to, ...entry }) => ({
      ...entry,
      entries: entry.names.map((field) => ({ field, from: null, to })),
    }));
};

/** All rows are in the same realm. */
export const REALM = 7;

/** A row without its key, with the schema's additional fields. */
export const rowValues = (plan: SchemaPlan): fc.Arbitrary<RowValues> =>
  fc
    .record({ color: small, size: small, ownerId: owner, price: small, hidden: small, more: drawnValues(plan) })
    .map(({ more, ...row }) => ({
      ...row,
      ...(plan.hasSecret ? { secret: row.hidden } : {}),
      ...(plan.hasVersion ? { revision: row.size + 1 } : {}),
      ...realmIn(plan),
      ...deletedIn(plan, null),
      ...more,
    }));

export const stateOf = (plan: SchemaPlan): fc.Arbitrary<State> =>
  fc
    .record({
      rows: fc.array(fc.tuple(rowValues(plan), fc.option(fc.nat(5)), fc.boolean()), { minLength: 1, maxLength: 6 }),
      notes: fc.array(fc.nat(5), { maxLength: 4 }),
      tags: fc.array(fc.record({ color: small, size: small, ownerId: owner }), { minLength: 1, maxLength: 4 }),
      links: fc.array(fc.tuple(fc.nat(5), fc.nat(3)), { maxLength: 6 }),
      deleted: fc.array(fc.tuple(rowValues(plan), fc.option(fc.nat(8))), { minLength: 1, maxLength: 4 }),
      entries: fc.array(entryOf(plan), { maxLength: 10 }),
    })
    .map(({ rows, notes, tags, links, deleted, entries }) => ({
      rows: rows.map(
        ([values, boxId, hasCode], id): Row => ({
          id,
          ...values,
          boxId: boxId !== null && boxId < rows.length ? boxId : null,
          code: hasCode ? id : null,
        }),
      ),
      deleted: plan.hasSoftDelete
        ? deleted.map(([values, boxId], at): Row => {
            const id = rows.length + at;
            return { id, ...values, boxId, code: at % 2 === 0 ? null : at, ...deletedIn(plan, timeAt(id)) };
          })
        : [],
      entries: plan.hasHistory ? entries.map((entry, at) => ({ ...entry, at: timeAt(100 + at) })) : [],
      notes: notes.map((rowId, id) => ({
        id,
        rowId: rowId % rows.length,
        text: id % 2 === 0 ? "n" : "m",
        ...realmIn(plan),
      })),
      tags: tags.map((tag, id) => ({ id, ...tag })),
      links: plan.hasLinks ? unique(links.map(([row, tag]): Link => [row % rows.length, tag % tags.length])) : [],
    }));

function unique(links: readonly Link[]): readonly Link[] {
  return [...new Map(links.map((link) => [link.join(), link])).values()];
}
