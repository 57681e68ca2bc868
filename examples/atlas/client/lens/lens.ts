import { byId } from "../elements.ts";
import { createEditor } from "./editor.ts";
import { printRequest, readRequest, type RestRequest, joinLines } from "./request-text.ts";
import {
  type Answer,
  type LensOperation,
  type LensView,
  sendGraphql,
  sendRest,
  type Source,
  translate,
} from "./server.ts";
import { showBehind, showStatements } from "./show-behind.ts";
import { clearResponses, showResponses } from "./show-responses.ts";

/** What changed the request: the map already shows an area that comes from it. */
export type Origin = "map" | "user";

export interface LensListener {
  /** Called with each valid request. Its REST form is undefined if REST has no such request. */
  readonly translated: (request: RestRequest | undefined, origin: Origin) => void;
  /** Called with the response of REST to a read. */
  readonly answered: (answer: Answer) => void;
}

interface Turn {
  readonly source: Source;
  readonly origin: Origin;
  readonly isRun: boolean;
}

export interface Lens {
  readonly show: (source: Source, origin?: Origin, isRun?: boolean) => void;
  /** Sends the current request again, for example as another caller. */
  readonly repeat: () => void;
  readonly current: () => Source;
}

/** While the map moves, responses are requested at most this often. In milliseconds. */
const RESPONSE_INTERVAL = 200;
const TYPING_PAUSE = 200;

/** Keeps both editors, the responses and everything else on the page in line with the request that changed last. */
export function createLens(listener: LensListener): Lens {
  let source: Source = { style: "rest", text: "" };
  let waiting: Turn | undefined;
  let isBusy = false;
  let answeredAt = 0;
  let running = new AbortController();
  let typing: ReturnType<typeof setTimeout> | undefined;
  const editors = {
    rest: createEditor("rest", (text) => edit({ style: "rest", text })),
    graphql: createEditor("graphql", (text) => edit({ style: "graphql", text })),
  };

  function edit(next: Source): void {
    source = next;
    clearTimeout(typing);
    typing = setTimeout(() => enqueue({ source: next, origin: "user", isRun: false }), TYPING_PAUSE);
  }

  function enqueue(turn: Turn): void {
    waiting = turn;
    // A turn of the map never waits long, and aborting each of them would show nothing while it moves.
    if (turn.origin === "user") running.abort();
    if (!isBusy) void work();
  }

  async function work(): Promise<void> {
    isBusy = true;
    for (let turn = waiting; turn !== undefined; turn = waiting) {
      waiting = undefined;
      running = new AbortController();
      await process(turn, running.signal).catch((error: unknown) => {
        if (waiting === undefined) fail(error, turn.source);
      });
    }
    isBusy = false;
  }

  async function process({ source: from, origin, isRun }: Turn, signal: AbortSignal): Promise<void> {
    const body = from.style === "rest" ? { request: joinLines(from.text) } : { document: from.text };
    const view = await translate(body, signal);
    const [first] = view.operations;
    editors[from.style].markInvalid(false);
    if (from.style === "rest") editors.graphql.write(graphqlText(view));
    else editors.rest.write(restText(view));
    byId("message").textContent = "";
    showBehind(view.operations);
    const request = requestOf(from, view);
    listener.translated(request, origin);
    if (first === undefined) return;
    const isRead = view.operations.every(isReadOperation);
    byId("run").classList.toggle("primary", !isRead);
    if (!isRead && !isRun) return clearResponses("Press Run to send it.");
    if (waiting !== undefined && performance.now() - answeredAt < RESPONSE_INTERVAL) return;
    const both = isRead || from.style;
    await answer(view, from, both, signal);
    answeredAt = performance.now();
    if (waiting !== undefined || !isRead) return;
    showStatements((await translate({ ...body, sql: true }, signal)).statements ?? []);
  }

  /** A write is sent in one style only, the one that was edited. */
  async function answer(
    view: LensView,
    from: Source,
    styles: true | Source["style"],
    signal: AbortSignal,
  ): Promise<void> {
    const [first, second] = view.operations;
    const rest = second === undefined && first !== undefined && "url" in first.rest ? first.rest : undefined;
    const graphql =
      from.style === "graphql" ? from.text : first && "document" in first.graphql ? first.graphql.document : undefined;
    const [restAnswer, graphqlAnswer] = await Promise.all([
      rest !== undefined && styles !== "graphql" ? sendRest(rest, signal) : undefined,
      graphql !== undefined && styles !== "rest" ? sendGraphql(graphql, signal) : undefined,
    ]);
    showResponses(restAnswer, graphqlAnswer);
    if (restAnswer !== undefined && styles === true) listener.answered(restAnswer);
  }

  function fail(error: unknown, { style }: Source): void {
    if (error instanceof DOMException && error.name === "AbortError") return;
    editors[style].markInvalid(true);
    byId("message").textContent = error instanceof Error ? error.message : String(error);
    clearResponses("");
  }

  const run = (): void => {
    clearTimeout(typing);
    enqueue({ source, origin: "user", isRun: true });
  };
  byId("run").addEventListener("click", run);
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
  });
  return {
    show(next, origin = "user", isRun = false) {
      clearTimeout(typing);
      source = next;
      editors[next.style].write(next.text);
      enqueue({ source: next, origin, isRun });
    },
    repeat: () => enqueue({ source, origin: "map", isRun: false }),
    current: () => source,
  };
}

function isReadOperation({ rest, graphql }: LensOperation): boolean {
  if ("method" in rest) return rest.method === "GET" || rest.method === "QUERY";
  return "document" in graphql && !/^\s*(mutation|subscription)/.test(graphql.document);
}

function requestOf({ style, text }: Source, { operations }: LensView): RestRequest | undefined {
  if (style === "rest") return readRequest(text);
  const [first, second] = operations;
  if (first === undefined || second !== undefined || "reason" in first.rest) return undefined;
  return readRequest(restOf(first.rest));
}

function graphqlText({ operations }: LensView): string {
  return operations
    .map(({ graphql }) => ("reason" in graphql ? `# GraphQL has no such request. ${graphql.reason}` : graphql.document))
    .join("\n\n");
}

function restText({ operations }: LensView): string {
  return operations
    .map(({ rest }) =>
      "reason" in rest ? `# REST has no such request. ${rest.reason}` : printRequest(readRequest(restOf(rest))),
    )
    .join("\n\n");
}

function restOf({ method, url, body }: Exclude<LensOperation["rest"], { readonly reason: string }>): string {
  return `${method} ${url}${body === undefined ? "" : `\n\n${JSON.stringify(body, null, 2)}`}`;
}
