import {
  type InsertAtOnceCommand,
  isBifocalError,
  type Key,
  keyOf,
  type KeysQuery,
  type MaybePromise,
  type ResourceModel,
  type Row,
  StoreConflict,
  type StoreContext,
  type StoreLoad,
  throwIfOver,
  tokenOf,
} from "@bifocal/core/store";
import { isStatementError } from "../dialect/postgres/postgres-faults.ts";
import { RetryError } from "../errors.ts";
import { recording } from "../explain/recording.ts";
import { untilFree } from "../run.ts";
import type { RowReceipt } from "../statement/insert-parts.ts";
import { StatementShape } from "../statement/statement-shape.ts";
import type { StoreHandle } from "./ask.ts";
import { insertInOneStatement } from "./insert-at-once.ts";
import { jsonLength } from "./json-length.ts";

/** Maximum number of rows in one statement. Larger statements cost hardly less per row, and delay other rows more. */
const MAX_ROWS = 32;
/** Statements that run at a time while more rows wait for the next one. */
const MAX_RUNNING = 4;
/**
 * Maximum length of the rows of one statement, roughly in characters of JSON. Long rows gain nothing from sharing a
 * statement and would delay the others.
 */
const MAX_LENGTH = 256_000;
/** Milliseconds that rows wait for those statements. After that, another one runs beside them. */
const MAX_WAIT_MS = 10;

const IDLE: StoreLoad = { waiting: 0, longest: 0 };

type Inserted = readonly Row[] | undefined;

interface Member {
  readonly command: InsertAtOnceCommand;
  readonly context: StoreContext;
  readonly resolve: (rows: MaybePromise<Inserted>) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Rows that one statement can insert. */
interface Group {
  readonly name: string;
  readonly handle: StoreHandle;
  readonly members: Member[];
  /** Length of its rows. */
  length: number;
  /** When the first one began to wait. */
  readonly since: number;
}

/**
 * Inserts single rows of concurrent operations with one statement, while as many statements as the database has use for
 * are running. If the statement fails, each row is inserted separately, so that an operation never fails because of
 * another one (docs/adr/0086).
 */
export class InsertTogether {
  #waiting: Group[] = [];
  #running = 0;
  #isPlanned = false;
  #isTimed = false;

  insert(handle: StoreHandle, command: InsertAtOnceCommand, context: StoreContext): MaybePromise<Inserted> {
    // Recorded operations don't share statements. Drivers of the application report errors in their own ways.
    const isOwn = handle.database.load !== undefined && recording() === undefined;
    if (!isOwn || !canShare(command)) return insertAlone(handle, command, context);
    return new Promise((resolve, reject) => {
      this.#add(handle, { command, context, resolve, reject });
      this.#plan();
    });
  }

  /** The rows of the next statement count as one operation, because they wait for the same connection. */
  readonly load = (): StoreLoad => {
    const [first] = this.#waiting;
    if (first === undefined) return IDLE;
    const rows = this.#waiting.reduce((count, { members }) => count + members.length, 0);
    return { waiting: 1 + rows - first.members.length, longest: performance.now() - first.since };
  };

  #add(handle: StoreHandle, member: Member): void {
    const name = groupName(handle, member.command, member.context);
    const length = jsonLength(member.command.rows[0] as Row, MAX_LENGTH);
    const before = this.#waiting.find(
      (group) => group.name === name && group.members.length < MAX_ROWS && group.length + length <= MAX_LENGTH,
    );
    if (before === undefined) {
      this.#waiting.push({ name, handle, members: [member], length, since: performance.now() });
      return;
    }
    before.members.push(member);
    before.length += length;
  }

  /** Waits for the end of this turn of the event loop, so that rows of other requests can join. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#start(MAX_RUNNING);
    });
  }

  #start(most: number): void {
    while (this.#running < most && this.#waiting.length > 0) void this.#run(this.#waiting.shift() as Group);
    if (this.#waiting.length === 0 || this.#isTimed) return;
    this.#isTimed = true;
    setTimeout(() => {
      this.#isTimed = false;
      this.#start(Number.POSITIVE_INFINITY);
    }, MAX_WAIT_MS);
  }

  async #run({ handle, members }: Group): Promise<void> {
    this.#running++;
    const running = members.filter((member) => !rejectIfOver(member));
    try {
      await insertGroup(handle, running);
    } finally {
      this.#running--;
      this.#start(MAX_RUNNING);
    }
  }
}

const shareable = new WeakMap<ResourceModel, boolean>();

/**
 * Whether a command inserts one row that can't conflict with the others. Two statements that insert the same unique
 * values in different orders would wait for each other.
 */
function canShare({ resource, rows, receipt }: InsertAtOnceCommand): boolean {
  if (rows.length !== 1 || receipt?.isBatch === true) return false;
  let is = shareable.get(resource);
  if (is === undefined) {
    const isOwnKey = resource.key.every((name) => resource.fields.get(name)?.generated !== undefined);
    const isCounted = [...resource.fields.values()].some(({ generated }) => generated?.when === "store");
    is = isOwnKey && !isCounted && resource.unique.length === 0;
    shareable.set(resource, is);
  }
  return is;
}

/** Rows of the same name differ only in their values and references. */
function groupName(
  { dialect, tenants }: StoreHandle,
  { resource, references, receipt }: InsertAtOnceCommand,
  context: StoreContext,
): string {
  const tenant = tenants?.of(context);
  let name = `${resource.name} ${receipt === undefined ? "" : "receipt"}`;
  if (tenant !== undefined) name += JSON.stringify(tenant);
  for (const { resource: target, filter } of references) {
    if (filter === undefined) continue;
    const { text, values } = new StatementShape(dialect, target.name).filter(filter);
    name += ` ${text} ${JSON.stringify(values)}`;
  }
  return name;
}

function insertAlone(handle: StoreHandle, command: InsertAtOnceCommand, context: StoreContext): MaybePromise<Inserted> {
  return untilFree(context, () => insertInOneStatement(handle, command, context));
}

async function insertGroup(handle: StoreHandle, members: readonly Member[]): Promise<void> {
  let rows: Inserted;
  if (members.length > 1) {
    const context = new GroupContext(members);
    try {
      rows = await insertInOneStatement(handle, mergeCommands(members), context);
    } catch (thrown) {
      if (!isReported(thrown)) {
        for (const { reject } of members) reject(thrown);
        return;
      }
    } finally {
      context.end();
    }
  }
  for (const [at, { command, context, resolve }] of members.entries()) {
    resolve(rows === undefined ? insertAlone(handle, command, context) : [rows[at] as Row]);
  }
}

/** Whether the database has reported the error, so that no row was inserted. Otherwise, the rows may have been. */
function isReported(thrown: unknown): boolean {
  if (thrown instanceof RetryError || thrown instanceof StoreConflict) return true;
  if (isBifocalError(thrown)) return thrown.code !== "UNAVAILABLE";
  return isStatementError(thrown);
}

function mergeCommands(members: readonly Member[]): InsertAtOnceCommand & { receipts?: readonly RowReceipt[] } {
  const { receipt, ...first } = (members[0] as Member).command;
  const rows: Row[] = [];
  const receipts: RowReceipt[] = [];
  const targets = new Map<string, { readonly query: KeysQuery; readonly keys: Map<unknown, Key> }>();
  for (const { command } of members) {
    const [row] = command.rows as readonly [Row];
    rows.push(row);
    if (command.receipt !== undefined) {
      const { token, fingerprint, expires } = command.receipt;
      receipts.push({ key: JSON.stringify(keyOf(first.resource, row)), token, fingerprint, expires });
    }
    for (const query of command.references) {
      const { name } = query.resource;
      const target = targets.get(name) ?? { query, keys: new Map<unknown, Key>() };
      targets.set(name, target);
      for (const key of query.keys) target.keys.set(tokenOf(key), key);
    }
  }
  const references = [...targets.values()].map(({ query, keys }) => ({ ...query, keys: [...keys.values()] }));
  return { ...first, rows, references, ...(receipt !== undefined && { receipts }) };
}

/** The context of a statement for several operations. If one of them ends, the statement is canceled. */
class GroupContext implements StoreContext {
  /** The error of the database shows whether the rows were inserted. */
  readonly isOver = false;
  readonly tenants: StoreContext["tenants"];
  readonly #members: readonly Member[];
  #controller: AbortController | undefined;

  constructor(members: readonly Member[]) {
    this.#members = members;
    this.tenants = members[0]?.context.tenants;
  }

  /** Created on first use, because most statements end before. `AbortSignal.any` would keep it until a full collection. */
  get signal(): AbortSignal {
    return (this.#controller ??= this.#connect()).signal;
  }

  end(): void {
    if (this.#controller === undefined) return;
    for (const { context } of this.#members) context.signal?.removeEventListener("abort", this);
  }

  handleEvent(): void {
    this.#controller?.abort();
  }

  #connect(): AbortController {
    const controller = new AbortController();
    for (const { signal } of this.#members.map(({ context }) => context)) {
      if (signal?.aborted === true) controller.abort();
      else signal?.addEventListener("abort", this, { once: true });
    }
    return controller;
  }
}

/** Rejects an insert if its operation has ended, and returns whether it did. */
function rejectIfOver({ context, reject }: Member): boolean {
  try {
    throwIfOver(context);
    return false;
  } catch (thrown) {
    reject(thrown);
    return true;
  }
}
