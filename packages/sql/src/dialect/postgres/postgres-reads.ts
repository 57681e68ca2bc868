import { type Json, type StoreContext, throwIfOver } from "@bifocal/core/store";
import type { StatementResult, Statement } from "../../database.ts";
import { bind } from "../../statement/slot.ts";
import type { Turn, ConnectionQueue } from "../../connection-queue.ts";
import type { TenantSetting } from "../../tenant-setting.ts";
import type { AnyClient } from "./pg.ts";
import { isStale } from "./postgres-faults.ts";
import { type Grouped, PostgresGroup } from "./postgres-group.ts";
import type { PreparedNames } from "./prepared-names.ts";

/** Maximum number of statements in one batch. */
const MAX_BATCH = 8;
/**
 * Connections that are used before several statements share one. A database has few processors, and waking more of its
 * processes takes longer than it saves.
 */
const SPREAD_CONNECTIONS = 4;
/** Milliseconds that statements wait for those connections. After that, any other connection is used as well. */
const SPREAD_TIMEOUT_MS = 10;

interface Waiting extends Grouped {
  readonly context: StoreContext | undefined;
  readonly resolve: (answer: StatementResult) => void;
  readonly reject: (error: unknown) => void;
  /** A sequence number. */
  readonly number: number;
  /** Its entry in the waiting queue, once it is certain that it waits. */
  turn: Turn | undefined;
}

export interface ReadsOptions {
  /** Maximum number of connections. */
  readonly max: number;
  readonly acquire: () => Promise<AnyClient>;
  readonly queue: ConnectionQueue;
  readonly release: (client: AnyClient) => void;
  readonly tenants: TenantSetting | undefined;
  /** Marks a connection so that it isn't reused. */
  readonly markBroken: (client: AnyClient, error: Error) => void;
  readonly preparedOf: (client: AnyClient) => PreparedNames;
  /**
   * Calls `stop` when the operation is aborted, and makes sure that the connection isn't reused. Returns a function
   * that stops watching.
   */
  readonly watch: (client: AnyClient, context: StoreContext, stop: () => void) => () => void;
}

/**
 * Runs reads that need no transaction. The first reads get a connection each. If more are waiting, several share a
 * connection and a batch, and their answers arrive in order. Each read is a statement of its own and sees the rows
 * committed when it runs.
 */
export class PostgresReads {
  readonly #options: ReadsOptions;
  #waiting: Waiting[] = [];
  #count = 0;
  /** Connections that were requested from the pool. */
  #acquired = 0;
  /** Connections that run a batch. */
  #active = 0;
  #isPatient = false;
  #isPlanned = false;

  constructor(options: ReadsOptions) {
    this.#options = options;
  }

  read(statement: Statement, values: readonly Json[], context: StoreContext | undefined): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      const bound = bind(statement.parameters, values);
      this.#waiting.push({
        statement,
        values: bound,
        tenant: this.#options.tenants?.of(context),
        context,
        resolve,
        reject,
        number: this.#count++,
        turn: undefined,
      });
      this.#plan();
    });
  }

  /** Waits for the end of this turn of the event loop, so that reads of other requests can join the batch. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      for (const one of this.#waiting) one.turn ??= this.#options.queue.enter();
      const isCrowded = this.#waiting.length > SPREAD_CONNECTIONS * MAX_BATCH;
      this.#sendOver(isCrowded ? this.#options.max : SPREAD_CONNECTIONS);
    });
  }

  /** Sends the waiting statements over at most `most` connections. */
  #sendOver(most: number): void {
    const free = Math.min(most, this.#options.max) - this.#active;
    const wanted = Math.min(free, this.#waiting.length);
    while (this.#acquired < wanted) void this.#send();
    if (this.#waiting.length === 0 || this.#acquired > 0 || this.#isPatient) return;
    this.#isPatient = true;
    setTimeout(() => {
      this.#isPatient = false;
      this.#sendOver(this.#options.max);
    }, SPREAD_TIMEOUT_MS);
  }

  async #send(): Promise<void> {
    const { acquire, release, markBroken, preparedOf } = this.#options;
    const last = this.#count;
    this.#acquired++;
    let client: AnyClient;
    try {
      client = await acquire();
    } catch (thrown) {
      this.#acquired--;
      for (const one of this.#take(Number.POSITIVE_INFINITY, last)) one.reject(thrown);
      // Statements that arrived since also waited for this connection.
      if (this.#waiting.length > 0) this.#plan();
      return;
    }
    const members: (Waiting | undefined)[] = this.#take(
      Math.min(MAX_BATCH, Math.ceil(this.#waiting.length / this.#acquired)),
      this.#count,
    );
    this.#acquired--;
    this.#active++;
    try {
      if (members.length > 0) await this.#run(client, members, preparedOf(client));
    } catch (thrown) {
      // If sending failed halfway, the connection is in an unknown state.
      markBroken(client, new Error("A statement could not be sent.", { cause: thrown }));
      for (const one of members) one?.reject(thrown);
    } finally {
      this.#active--;
      release(client);
      if (this.#waiting.length > 0) this.#plan();
    }
  }

  /**
   * Takes up to `most` waiting statements that arrived before number `last`, and drops those whose operations have
   * ended.
   */
  #take(most: number, last: number): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of this.#waiting) {
      if (taken.length === most || one.number >= last) {
        left.push(one);
        continue;
      }
      if (one.turn !== undefined) this.#options.queue.leave(one.turn);
      if (!rejectIfOver(one)) taken.push(one);
    }
    this.#waiting = left;
    return taken;
  }

  /**
   * Clears each entry of `members` after it resolves, so that a large result can be freed before the last one arrives.
   */
  async #run(client: AnyClient, members: (Waiting | undefined)[], prepared: PreparedNames): Promise<void> {
    let isStopped = false;
    const ends = members.map((member) =>
      member?.context === undefined ? undefined : this.#options.watch(client, member.context, () => (isStopped = true)),
    );
    const statements = (members as Waiting[]).map(({ statement, values, tenant }) => ({ statement, values, tenant }));
    const group = new PostgresGroup(statements, prepared, (at, answer) => {
      const member = members[at];
      members[at] = undefined;
      ends[at]?.();
      ends[at] = undefined;
      member?.resolve(answer);
    });
    client.query(group);
    const failure = await group.ended;
    for (const end of ends) end?.();
    if (failure === undefined) return;
    const { error, rest } = failure;
    // The statement must be prepared again, on another connection.
    const isOutdated = isStale(error);
    if (isOutdated) this.#options.markBroken(client, error);
    // The server skipped the statements after the failed one, and an aborted statement must not fail the others. Both
    // run again.
    const again: Waiting[] = [];
    for (const [at, member] of members.slice(rest).entries()) {
      if (member === undefined || rejectIfOver(member)) continue;
      if (isStopped || isOutdated || (at > 0 && isOfServer(error))) again.push(member);
      else member.reject(error);
    }
    this.#waiting = [...again, ...this.#waiting];
  }
}

/** Rejects a statement if its operation has ended, and returns whether it did. */
function rejectIfOver({ context, reject }: Waiting): boolean {
  if (context === undefined) return false;
  try {
    throwIfOver(context);
    return false;
  } catch (thrown) {
    reject(thrown);
    return true;
  }
}

/** Whether the server reported this error for a statement. Errors of a broken connection have no severity. */
function isOfServer(error: unknown): boolean {
  return typeof error === "object" && error !== null && "severity" in error && error.severity === "ERROR";
}
