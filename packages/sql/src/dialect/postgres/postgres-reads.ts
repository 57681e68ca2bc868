import { type Json, type StoreContext, throwIfOver } from "@bifocal/core/store";
import type { Answer, Statement } from "../../database.ts";
import { bind } from "../../statement/slot.ts";
import type { Turn, WaitingLine } from "../../waiting-line.ts";
import type { AnyClient } from "./pg.ts";
import { isStale } from "./postgres-faults.ts";
import { type Grouped, PostgresGroup } from "./postgres-group.ts";
import type { PreparedNames } from "./prepared-names.ts";

/** Statements of one piece. */
const MOST = 8;
/** Connections that are used before several statements share one: a database has few processors, and waking more of its processes takes longer than it saves. */
const SPREAD = 4;
/** Milliseconds that statements wait for those connections, which may be slow; then any other will do. */
const PATIENCE = 10;

interface Waiting extends Grouped {
  readonly context: StoreContext | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Counts up. */
  readonly number: number;
  /** Its place in the line, once it is certain that it waits. */
  turn: Turn | undefined;
}

export interface ReadsOptions {
  /** Connections at most. */
  readonly max: number;
  readonly lend: () => Promise<AnyClient>;
  readonly line: WaitingLine;
  readonly giveBack: (client: AnyClient) => void;
  /** Nobody gets this connection again. */
  readonly spoil: (client: AnyClient, error: Error) => void;
  readonly preparedOf: (client: AnyClient) => PreparedNames;
  /** Calls `stop` once the operation is given up, and sees to it that the connection does not go on. Answers what ends that. */
  readonly watch: (client: AnyClient, context: StoreContext, stop: () => void) => () => void;
}

/**
 * Reads that need no transaction. The first go out on a connection each; where more wait, several share a connection and a
 * piece of the network, and are answered in their order. Each is a statement, and sees what is committed when it runs.
 */
export class PostgresReads {
  readonly #options: ReadsOptions;
  #waiting: Waiting[] = [];
  #count = 0;
  /** Connections that are on their way. */
  #lent = 0;
  /** Connections that are in use here. */
  #active = 0;
  #isPatient = false;
  #isPlanned = false;

  constructor(options: ReadsOptions) {
    this.#options = options;
  }

  read(statement: Statement, values: readonly Json[], context: StoreContext | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const bound = bind(statement.parameters, values);
      this.#waiting.push({
        statement,
        values: bound,
        context,
        resolve,
        reject,
        number: this.#count++,
        turn: undefined,
      });
      this.#plan();
    });
  }

  /** Who else is to be answered in this turn of the event loop may ask as well. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      for (const one of this.#waiting) one.turn ??= this.#options.line.enter();
      const isCrowded = this.#waiting.length > SPREAD * MOST;
      this.#sendOver(isCrowded ? this.#options.max : SPREAD);
    });
  }

  /** Over so many connections at most. */
  #sendOver(most: number): void {
    const free = Math.min(most, this.#options.max) - this.#active;
    const wanted = Math.min(free, this.#waiting.length);
    while (this.#lent < wanted) void this.#send();
    if (this.#waiting.length === 0 || this.#lent > 0 || this.#isPatient) return;
    this.#isPatient = true;
    setTimeout(() => {
      this.#isPatient = false;
      this.#sendOver(this.#options.max);
    }, PATIENCE);
  }

  async #send(): Promise<void> {
    const { lend, giveBack, spoil, preparedOf } = this.#options;
    const last = this.#count;
    this.#lent++;
    let client: AnyClient;
    try {
      client = await lend();
    } catch (thrown) {
      this.#lent--;
      for (const one of this.#take(Number.POSITIVE_INFINITY, last)) one.reject(thrown);
      // Those who came since waited for this connection too.
      if (this.#waiting.length > 0) this.#plan();
      return;
    }
    const members: (Waiting | undefined)[] = this.#take(
      Math.min(MOST, Math.ceil(this.#waiting.length / this.#lent)),
      this.#count,
    );
    this.#lent--;
    this.#active++;
    try {
      if (members.length > 0) await this.#run(client, members, preparedOf(client));
    } catch (thrown) {
      // A piece that could not be sent whole leaves the connection in the middle of it.
      spoil(client, new Error("A statement could not be sent.", { cause: thrown }));
      for (const one of members) one?.reject(thrown);
    } finally {
      this.#active--;
      giveBack(client);
      if (this.#waiting.length > 0) this.#plan();
    }
  }

  /** The first of those that wait, up to a number, without those whose operations are over. */
  #take(most: number, last: number): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of this.#waiting) {
      if (taken.length === most || one.number >= last) {
        left.push(one);
        continue;
      }
      if (one.turn !== undefined) this.#options.line.leave(one.turn);
      if (!rejectIfOver(one)) taken.push(one);
    }
    this.#waiting = left;
    return taken;
  }

  /** `members` loses each that has its answer: a large one should not stay until the last of them has his. */
  async #run(client: AnyClient, members: (Waiting | undefined)[], prepared: PreparedNames): Promise<void> {
    let isStopped = false;
    const ends = members.map((member) =>
      member?.context === undefined ? undefined : this.#options.watch(client, member.context, () => (isStopped = true)),
    );
    const statements = (members as Waiting[]).map(({ statement, values }) => ({ statement, values }));
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
    // On another connection it is prepared anew.
    const isOutdated = isStale(error);
    if (isOutdated) this.#options.spoil(client, error);
    // The server skips what stands behind a failure, and what one gave up is no failure of the others.
    const again: Waiting[] = [];
    for (const [at, member] of members.slice(rest).entries()) {
      if (member === undefined || rejectIfOver(member)) continue;
      if (isStopped || isOutdated || (at > 0 && isOfServer(error))) again.push(member);
      else member.reject(error);
    }
    this.#waiting = [...again, ...this.#waiting];
  }
}

/** Whether the operation was given up; then that is its answer. */
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

/** What the server says of a statement; a connection that broke says nothing of any. */
function isOfServer(error: unknown): boolean {
  return typeof error === "object" && error !== null && "severity" in error && error.severity === "ERROR";
}
