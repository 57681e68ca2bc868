import type { Observer } from "../../../operation/observer.ts";
import type { GraphQLFormattedError } from "graphql";
import { BifocalError } from "../../../errors/bifocal-error.ts";
import { withSignal } from "../../../operation/create-caller.ts";
import { type EventStream, writeEvent } from "../../../message/event-stream.ts";
import { waitForDrain } from "../../../util/drain-signal.ts";
import type { ProtocolContext } from "../../../message/protocol.ts";
import type { ExecutionContext } from "../../context.ts";
import { toGraphQLError } from "../../graphql-error.ts";
import type { ResultText } from "../../execute/result.ts";
import type { Executor } from "../executor.ts";
import type { PreparedOperation, Unprepared } from "../prepare.ts";
import type { TextStream } from "../subscription/text-stream.ts";

export interface SseOperationOptions {
  /** Present on a stream that several operations share. */
  readonly id: string | undefined;
  /** Called when everything has been sent. */
  readonly onEnd: () => void;
  /** Called when the queue exceeds its limit. `event` reports that to the client. */
  readonly onOverflow: (event: string) => void;
}

export interface SseContext extends ExecutionContext, Pick<ProtocolContext, "during"> {}

/** One operation whose results are events of a stream. */
export class SseOperation implements Observer<string> {
  readonly #executor: Executor;
  readonly #stream: EventStream;
  readonly #options: SseOperationOptions;
  /** Present while a query or mutation runs. */
  #controller: AbortController | undefined;
  #source: TextStream | undefined;
  #parts: ResultText["parts"];
  #isOver = false;

  constructor(executor: Executor, stream: EventStream, options: SseOperationOptions) {
    this.#executor = executor;
    this.#stream = stream;
    this.#options = options;
  }

  /** Runs the operation. Never rejects: errors are sent on the stream. */
  async run(prepared: PreparedOperation | Unprepared, context: SseContext): Promise<void> {
    try {
      if ("errors" in prepared) {
        context.caller.onMalformed?.();
        this.#refuse(this.#executor.format(prepared));
      } else if (prepared.kind === "subscription") await this.#subscribe(prepared, context);
      else {
        this.#controller = new AbortController();
        if (this.#isOver) this.#controller.abort();
        const caller = withSignal(context.caller, this.#controller.signal);
        await this.#execute(prepared, { ...context, caller });
        this.end(undefined);
      }
    } catch (thrown) {
      context.caller.log?.error("An operation on an event stream failed.", { cause: thrown });
      this.end(new BifocalError("INTERNAL", "Something went wrong on the server."));
    }
  }

  /** On a stream of its own, the operation sends the parts of an incremental response as events. */
  async #execute(prepared: PreparedOperation, context: SseContext): Promise<void> {
    if (this.#options.id !== undefined) {
      this.next(await context.during(async () => this.#executor.execute(prepared, context)));
      return;
    }
    const { text, parts } = await context.during(async () => this.#executor.executeInParts(prepared, context));
    this.next(text);
    if (parts === undefined) return;
    this.#parts = parts;
    if (this.#isOver) await parts.return?.();
    for await (const part of parts) {
      await waitForDrain(this.drain());
      this.next(part);
    }
  }

  async #subscribe(prepared: PreparedOperation, context: SseContext): Promise<void> {
    // A subscription lasts as long as its stream, not as long as the request that started it.
    const caller = withSignal(context.caller, undefined);
    const opened = await context.during(async () => this.#executor.subscribe(prepared, { ...context, caller }, this));
    if ("errors" in opened) this.#refuse(this.#executor.format(opened));
    else if (this.#isOver) opened.stop();
    else {
      this.#source = opened;
      opened.start();
    }
  }

  /** Stops the operation because the client canceled it or disconnected. */
  stop(): void {
    this.#isOver = true;
    this.#source?.stop();
    void this.#parts?.return?.();
    this.#controller?.abort();
  }

  next(text: string): void {
    if (this.#isOver || this.#stream.send(this.#write("next", text))) return;
    this.stop();
    const error = toGraphQLError(
      new BifocalError("UNAVAILABLE", "The event stream ended because too much was waiting."),
    );
    this.#options.onOverflow(this.#write("next", JSON.stringify({ errors: [error] })) + this.#write("complete", ""));
    this.#options.onEnd();
  }

  drain(): Promise<void> | undefined {
    return this.#stream.drain();
  }

  end(error: BifocalError | undefined): void {
    if (this.#isOver) return;
    if (error === undefined) this.#complete();
    else this.#refuse([toGraphQLError(error).toJSON()]);
  }

  #refuse(errors: readonly GraphQLFormattedError[]): void {
    this.next(JSON.stringify({ errors }));
    this.#complete();
  }

  #complete(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stream.add(this.#write("complete", ""));
    this.#options.onEnd();
  }

  /** Always includes `data`, because the browser's `EventSource` ignores events without it. */
  #write(event: "next" | "complete", text: string): string {
    const { id } = this.#options;
    if (id === undefined) return writeEvent({ event, data: text });
    const payload = text === "" ? "" : `,"payload":${text}`;
    return writeEvent({ event, data: `{"id":${JSON.stringify(id)}${payload}}` });
  }
}
