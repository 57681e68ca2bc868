import { meaning, type Row as RuleRow, type Tree } from "../rule-tree.ts";
import type { Caller } from "./callers.ts";
import { partsAlongBoxes, possibleAnswers } from "./rule-facts.ts";
import type { Entry, Note, Row, State, Tag } from "./state.ts";
import type { Setting } from "./world.ts";

/** The view that a caller has of states. */
export type View = ReturnType<typeof createView>;

/** The view of one caller on worlds with one setting, computed by a model without filters. */
export function createView({ plan, rules }: Setting, { principal }: Caller) {
  const says = (rule: Tree, row: RuleRow, { rows }: Pick<State, "rows">): boolean =>
    meaning(rule, row, rowsById(rows), principal) === true;
  const mayEver = (rule: Tree): boolean => possibleAnswers(rule, principal).has(true);
  const { read, create, update, remove, act, priceRead, priceWrite, fieldRead, link, itemsRead, noteRead, noteWrite } =
    rules;
  const rowRules = [update, remove, act, priceRead, priceWrite, fieldRead, link, itemsRead, noteRead, noteWrite];
  const { deleted, restore, historyRead } = rules;
  const conventions = [...(plan.hasSoftDelete ? [deleted, restore] : []), ...(plan.hasHistory ? [historyRead] : [])];
  const parts = [...partsAlongBoxes([read, create, ...rowRules, ...conventions]), noteRead, noteWrite];

  const seesRow = (state: State, row: Row): boolean => says(read, row, state);
  const seesTag = (state: State, tag: Tag): boolean => says(rules.tagRead, { ...tag, boxId: null }, state);
  function seesNote(state: State, { rowId }: Note): boolean {
    const row = state.rows.find(({ id }) => id === rowId);
    return row !== undefined && says(noteRead, row, state);
  }

  /** Returns the row without internal fields and fields that a rule hides. */
  function shown(state: State, row: Row): object {
    const { hidden: _, secret: __, price, ...others } = row;
    const drawn = plan.fields.filter(({ isRuled }) => isRuled && !says(fieldRead, row, state)).map(({ name }) => name);
    return {
      ...Object.fromEntries(Object.entries(others).filter(([name]) => !drawn.includes(name))),
      ...(says(priceRead, row, state) ? { price } : {}),
    };
  }

  const seesDeleted = (state: State, row: Row): boolean => says(read, row, state) && says(deleted, row, state);
  /** A caller who restores a row then reads it, so it may know everything about the row before. */
  const mayRestore = (state: State, row: Row): boolean => says(read, row, state) && says(restore, row, state);

  /** Returns the entries of a row's history, with the fields of the row that the caller can read. */
  function entriesOf(state: State, row: Row): readonly object[] {
    if (!plan.hasHistory || !says(historyRead, row, state)) return [];
    const readable = new Set(Object.keys(shown(state, row)));
    const visible = ({ at, by, operation, action, entries }: Entry): object => ({
      at,
      by,
      operation,
      action,
      changes: entries.filter(({ field }) => readable.has(field)),
    });
    const isVisible = ({ rowId, ended, names }: Entry): boolean =>
      rowId === row.id && !ended && names.some((name) => readable.has(name));
    return state.entries.filter(isVisible).map(visible);
  }

  /** Returns the answers that rules may give for rows that point at this hidden row. */
  function beyond(state: State, row: RuleRow, visible: ReadonlySet<number>): unknown {
    const chain: RuleRow[] = [];
    for (let at: RuleRow | undefined = row; at !== undefined && !chain.includes(at); at = boxOf(state, at))
      chain.push(at);
    // A write to a visible row further along could change those answers, depending on the rows in between.
    if (chain.some(({ id }) => visible.has(id))) {
      return chain
        .filter(({ id }) => !visible.has(id))
        .map(({ id, color, size, ownerId }) => [id, color, size, ownerId]);
    }
    return parts.map((part) => says(part, row, state));
  }

  /** Returns whether hidden rows point at a row. A caller who may delete it or change its key can find out. */
  function heldBy(state: State, row: Row, visible: ReadonlySet<number>): readonly boolean[] {
    const mayRename = plan.hasClientKeys && mayEver(update);
    const mayTryDelete = (onDelete: string): boolean => mayEver(remove) && onDelete === "restrict";
    const isBox = ({ id, boxId }: Row): boolean => boxId === row.id && !visible.has(id);
    return [
      mayTryDelete(plan.onDeleteBox) && state.rows.some(isBox),
      // References of deleted rows don't prevent a deletion.
      mayRename && [...state.rows, ...state.deleted].some(isBox),
      (mayTryDelete(plan.onDeleteRow) || mayRename) &&
        state.notes.some((note) => note.rowId === row.id && !seesNote(state, note)),
      mayRename && state.links.some(([from, to]) => from === row.id && !isTagSeen(state, to)),
    ];
  }

  const isTagSeen = (state: State, id: number): boolean =>
    state.tags.some((tag) => tag.id === id && seesTag(state, tag));

  /** Returns unique values and keys of hidden rows. A caller who may write them can find out. */
  function taken({ rows, deleted: others }: State, visible: ReadonlySet<number>): readonly unknown[] {
    const mayEverRestore = plan.hasSoftDelete && mayEver(restore);
    if (!mayEver(create) && !mayEver(update) && !mayEverRestore) return [];
    const hidden = rows.filter(({ id }) => !visible.has(id));
    const codes = hidden.flatMap(({ code }) => (code === null ? [] : [code])).toSorted((a, b) => a - b);
    return [codes, plan.hasClientKeys ? [...hidden, ...others].map(({ id }) => id).toSorted((a, b) => a - b) : []];
  }

  /** Returns everything that the caller may know about a state. Nothing else may make a difference. */
  function computeView(state: State): string {
    const seen = state.rows.filter((row) => seesRow(state, row));
    const gone = state.deleted.filter((row) => seesDeleted(state, row) || mayRestore(state, row));
    const visible = new Set(seen.map(({ id }) => id));
    const rows = [...seen, ...gone].map((row) => {
      const box = boxOf(state, row);
      return [
        shown(state, row),
        [...rowRules, ...conventions].map((rule) => says(rule, row, state)),
        entriesOf(state, row),
        // A row that references a deleted one can't be restored.
        box !== undefined,
        box === undefined || visible.has(box.id) ? null : beyond(state, box, visible),
        heldBy(state, row, visible),
      ];
    });
    const notes = state.notes
      .filter((note) => seesNote(state, note))
      .map((note) => {
        const row = state.rows.find(({ id }) => id === note.rowId);
        return [note, row === undefined || visible.has(row.id) ? null : beyond(state, row, visible)];
      });
    const tags = state.tags
      .filter((tag) => seesTag(state, tag))
      .map((tag) => [tag, [rules.tagLink, rules.tagsRead].map((rule) => says(rule, { ...tag, boxId: null }, state))]);
    const linking = new Set([...visible, ...gone.map(({ id }) => id)]);
    const links = state.links.filter(([from, to]) => linking.has(from) && isTagSeen(state, to)).map(String);
    return JSON.stringify([rows, notes, tags, links.toSorted(), taken(state, visible)], sorted);
  }

  // Most requests only read, so the next one finds the same state.
  const views = new WeakMap<State, string>();
  function viewOf(state: State): string {
    const known = views.get(state) ?? computeView(state);
    views.set(state, known);
    return known;
  }

  return {
    viewOf,
    seesRow,
    seesNote,
    seesTag,
    mayRestore,
    may: (rule: Exclude<keyof typeof rules, "tagLink" | "tagRead" | "tagsRead">, state: State, row: RuleRow): boolean =>
      says(rules[rule], row, state),
    mayLinkTag: (state: State, tag: Tag): boolean => says(rules.tagLink, { ...tag, boxId: null }, state),
    /** Whether the caller sees anything. */
    seesAny: (state: State): boolean =>
      state.rows.some((row) => seesRow(state, row)) || state.notes.some((note) => seesNote(state, note)),
  };
}

const byId = new WeakMap<readonly Row[], ReadonlyMap<number, Row>>();

function rowsById(rows: readonly Row[]): ReadonlyMap<number, Row> {
  const known = byId.get(rows) ?? new Map(rows.map((one) => [one.id, one]));
  byId.set(rows, known);
  return known;
}

function boxOf({ rows }: State, { boxId }: RuleRow): Row | undefined {
  return boxId === null ? undefined : rows.find(({ id }) => id === boxId);
}

/** The members in a fixed order, whatever the order of columns is. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
