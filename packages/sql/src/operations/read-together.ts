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
import type { StoreHandle } from "./ask.ts";
import { byKeys } from "./read.ts";

/** Maximum number of keys in one statement. */
const MAX_KEYS = 100;

interface Member {
  readonly key: Key;
  readonly query: KeysQuery;
  readonly context: StoreContext;
  readonly resolve: (rows: MaybePromise<readonly Row[]>) => void;
  readonly reject: (thrown: unknown) => void;
}

interface Group {
  readonly handle: StoreHandle;
  readonly members: Member[];
  /** Reads of a recorded request share no statement with other requests. */
  readonly notes: Recording | undefined;
}

/**
 * Combines single-row reads of the same turn of the event loop into one statement if they differ only in the key.
 * Nothing is cached: a read in a later turn runs a new statement.
 */
export class ReadTogether {
  /**
   * The groups of this turn. A map that is reused would keep its old hash table, and with it all former entries, in
   * memory.
   */
  #waiting: Map<string, Group> | undefined;

  byKeys(handle: StoreHandle, query: KeysQuery, context: StoreContext): MaybePromise<readonly Row[]> {
    const { dialect } = handle;
    const [key] = query.keys;
    if (!dialect.isRemote || key === undefined || query.keys.length > 1 || query.resource.key.length > 1) {
      return byKeys(handle, query, context);
    }
    const { text, values } = keysShape(dialect, query, "");
    // The key is the first value. The others are the values that access rules compare with.
    const shared = values.length === 1 ? text : text + JSON.stringify(values.slice(1));
    const tenant = handle.tenants?.of(context);
    const name = tenant === undefined ? shared : `${tenant} ${shared}`;
    return new Promise((resolve, reject) => {
      this.#groupOf(name, handle).members.push({ key, query, context, resolve, reject });
    });
  }

  #groupOf(name: string, handle: StoreHandle): Group {
    const notes = recording();
    const waiting = (this.#waiting ??= new Map());
    const before = waiting.get(name);
    if (before !== undefined && before.members.length < MAX_KEYS && before.notes === notes) return before;
    const group: Group = { handle, members: [], notes };
    waiting.set(name, group);
    // Runs after all requests that have arrived were processed.
    setImmediate(() => {
      if (this.#waiting === waiting) this.#waiting = undefined;
      void read(group);
    });
    return group;
  }
}

async function read({ handle, members }: Group): Promise<void> {
  const [first] = members;
  if (first === undefined) return;
  const asked = new Map(members.map(({ key }) => [keyToken(key), key]));
  if (members.length === 1) {
    readAlone(handle, first);
    return;
  }
  const { resource } = first.query;
  const found = new Map<string, Row>();
  try {
    const rows = await byKeys(handle, { ...first.query, keys: [...asked.values()] }, first.context);
    for (const row of rows) found.set(keyToken(keyOf(resource, row)), row);
  } catch (thrown) {
    // An invalid or aborted read must not fail the others. An unreachable database fails all of them.
    const isOut = isBifocalError(thrown) && thrown.code === "UNAVAILABLE";
    for (const member of members) {
      if (isOut) member.reject(thrown);
      else readAlone(handle, member);
    }
    return;
  }
  // The column may hold a key in another form than the requested one.
  const isOther = [...found.keys()].some((token) => !asked.has(token));
  for (const member of members) {
    const row = found.get(keyToken(member.key));
    if (row !== undefined) member.resolve([row]);
    else if (isOther) readAlone(handle, member);
    else member.resolve([]);
  }
}

function readAlone(handle: StoreHandle, { query, context, resolve, reject }: Member): void {
  try {
    resolve(byKeys(handle, query, context));
  } catch (thrown) {
    reject(thrown);
  }
}
