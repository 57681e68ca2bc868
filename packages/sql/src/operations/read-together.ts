import {
  isBifocalError,
  type Key,
  keyOf,
  type KeysQuery,
  keyToken,
  type MaybePromise,
  type Row,
  type StoreContext,
} from "@bifocal/core/store";
import { type Recording, recording } from "../explain/recording.ts";
import { keysShape } from "../statement/read-keys.ts";
import type { Place } from "./ask.ts";
import { byKeys } from "./read.ts";

/** Keys of one statement. */
const MOST = 100;

interface Member {
  readonly key: Key;
  readonly query: KeysQuery;
  readonly context: StoreContext;
  readonly resolve: (rows: MaybePromise<readonly Row[]>) => void;
  readonly reject: (thrown: unknown) => void;
}

interface Group {
  readonly place: Place;
  readonly members: Member[];
  /** Who has statements noted has them to himself. */
  readonly notes: Recording | undefined;
}

/**
 * Reads of one row each that are asked for in the same turn of the event loop, and differ in nothing but the key, take one
 * statement. Nothing is kept: what is asked for in a later turn is read later.
 */
export class ReadTogether {
  /** Of this turn: a map that lived for ever would keep its old tables, and they all that was in them. */
  #waiting: Map<string, Group> | undefined;

  byKeys(place: Place, query: KeysQuery, context: StoreContext): MaybePromise<readonly Row[]> {
    const { dialect } = place;
    const [key] = query.keys;
    if (!dialect.isRemote || key === undefined || query.keys.length > 1 || query.resource.key.length > 1) {
      return byKeys(place, query, context);
    }
    const { text, values } = keysShape(dialect, query, "");
    // The key is the first of the values, and the others are those that rules compare with.
    const name = values.length === 1 ? text : text + JSON.stringify(values.slice(1));
    return new Promise((resolve, reject) => {
      this.#groupOf(name, place).members.push({ key, query, context, resolve, reject });
    });
  }

  #groupOf(name: string, place: Place): Group {
    const notes = recording();
    const waiting = (this.#waiting ??= new Map());
    const before = waiting.get(name);
    if (before !== undefined && before.members.length < MOST && before.notes === notes) return before;
    const group: Group = { place, members: [], notes };
    waiting.set(name, group);
    // All requests that have come are looked at before this.
    setImmediate(() => {
      if (this.#waiting === waiting) this.#waiting = undefined;
      void read(group);
    });
    return group;
  }
}

async function read({ place, members }: Group): Promise<void> {
  const [first] = members;
  if (first === undefined) return;
  const asked = new Map(members.map(({ key }) => [keyToken(key), key]));
  if (members.length === 1) {
    readAlone(place, first);
    return;
  }
  const { resource } = first.query;
  const found = new Map<string, Row>();
  try {
    const rows = await byKeys(place, { ...first.query, keys: [...asked.values()] }, first.context);
    for (const row of rows) found.set(keyToken(keyOf(resource, row)), row);
  } catch (thrown) {
    // What one of them asks for, or its end, is no failure of the others. What is out of reach is so for all.
    const isOut = isBifocalError(thrown) && thrown.code === "UNAVAILABLE";
    for (const member of members) {
      if (isOut) member.reject(thrown);
      else readAlone(place, member);
    }
    return;
  }
  // A column may hold its key in another form than it was asked for.
  const isOther = [...found.keys()].some((token) => !asked.has(token));
  for (const member of members) {
    const row = found.get(keyToken(member.key));
    if (row !== undefined) member.resolve([row]);
    else if (isOther) readAlone(place, member);
    else member.resolve([]);
  }
}

function readAlone(place: Place, { query, context, resolve, reject }: Member): void {
  try {
    resolve(byKeys(place, query, context));
  } catch (thrown) {
    reject(thrown);
  }
}
