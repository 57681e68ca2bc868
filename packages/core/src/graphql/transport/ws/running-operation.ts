import type { Observer } from "../../../operation/observer.ts";
import type { GraphQLFormattedError } from "graphql";
import { type BifocalError, isBifocalError } from "../../../errors/bifocal-error.ts";
import type { Caller } from "../../../operation/run.ts";
import { createCaller } from "../../../operation/create-caller.ts";
import { toGraphQLError } from "../../graphql-error.ts";
import { noteMalformed } from "../../meter.ts";
import { prepare } from "../prepare.ts";
import { TextStream } from "../subscription/text-stream.ts";
import type { ConnectionOptions, SocketCaller } from "./connection-options.ts";

/** The connection of an operation. */
interface OperationConnection {
  readonly caller: SocketCaller;
  readonly options: ConnectionOptions;
  readonly send: (text: string) => void;
  /** Sends even if the client reads too slowly. */
  readonly sendAnyway: (text: string) => void;
  readonly sendErrors: (id: string, errors: readonly GraphQLFormattedError[]) => void;
  readonly drain: () => Promise<void> | undefined;
  /** Closes the connection, because its credential has expired. */
  readonly expire: () => void;
  readonly forget: (id: string, operation: RunningOperation) => void;
  /** Called once the operation is an open subscription, another kind of operation, or has ended. */
  readonly opened: (operation: RunningOperation) => void;
}

/** One operation of a connection, from `subscribe` to `complete`. */
export class RunningOperation implements Observer<string> {
  readonly #connection: OperationConnection;
  readonly #id: string;
  /** The start of every result message. It is created with the first one. */
  #prefix: string | undefined;
  #stop: TextStream | AbortController | undefined;
  #isOver = false;

  constructor(connection: OperationConnection, id: string) {
    this.#connection = connection;
    this.#id = id;
  }

  async run(payload: Readonly<Record<string, unknown>>): Promise<void> {
    try {
      const { options, caller } = this.#connection;
      await options.turn(caller, async () => {
        // The client may have disconnected while this operation was waiting.
        if (!this.#isOver) await this.#run(payload);
      });
    } catch (thrown) {
      if (!isBifocalError(thrown)) throw thrown;
      noteMalformed(thrown, this.#callerOf(undefined));
      this.#refuse([toGraphQLError(thrown).toJSON()]);
    }
  }

  /** Stops the operation because the client canceled it or disconnected. */
  stop(): void {
    this.#isOver = true;
    if (this.#stop instanceof TextStream) this.#stop.stop();
    else this.#stop?.abort();
  }

  next(text: string): void {
    if (this.#isOver) return;
    this.#prefix ??= `{"id":${JSON.stringify(this.#id)},"type":"next","payload":`;
    this.#connection.send(`${this.#prefix}${text}}`);
  }

  drain(): Promise<void> | undefined {
    return this.#connection.drain();
  }

  end(error: BifocalError | undefined): void {
    if (this.#isOver) return;
    if (error === undefined) this.#complete();
    else if (error.code === "UNAUTHENTICATED") this.#connection.expire();
    else this.#refuse([toGraphQLError(error).toJSON()]);
  }

  async #run(payload: Readonly<Record<string, unknown>>): Promise<void> {
    const { options } = this.#connection;
    const { run, executor } = options;
    const prepared = prepare(payload, options);
    if ("errors" in prepared) {
      this.#callerOf(undefined).onMalformed?.();
      this.#refuse(executor.format(prepared));
      return;
    }
    const { kind, extensions: carrier } = prepared;
    if (kind === "subscription") {
      const context = { run, caller: this.#callerOf(undefined), carrier };
      const opened = await executor.subscribe(prepared, options.meter(context), this);
      if ("errors" in opened) this.#refuse(executor.format(opened));
      else if (this.#isOver) opened.stop();
      else {
        this.#stop = opened;
        opened.start();
        this.#connection.opened(this);
      }
      return;
    }
    this.#connection.opened(this);
    const controller = new AbortController();
    this.#stop = controller;
    const context = { run, caller: this.#callerOf(controller.signal), carrier };
    this.next(await executor.execute(prepared, options.meter(context)));
    this.#complete();
  }

  #callerOf(signal: AbortSignal | undefined): Caller {
    const { caller, options } = this.#connection;
    const onMalformed = (): void => void options.malformed?.charge(caller);
    return { ...createCaller(caller.principal, signal, caller), onMalformed };
  }

  #refuse(errors: readonly GraphQLFormattedError[]): void {
    if (this.#isOver) return;
    this.#finish();
    this.#connection.sendErrors(this.#id, errors);
  }

  #complete(): void {
    if (this.#isOver) return;
    this.#finish();
    this.#connection.sendAnyway(`{"id":${JSON.stringify(this.#id)},"type":"complete"}`);
  }

  #finish(): void {
    this.#isOver = true;
    this.#connection.forget(this.#id, this);
  }
}
