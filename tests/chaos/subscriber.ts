import { WebSocket } from "ws";

/** The events that a client has received, in order: the id and the row of each. */
export interface Subscriber {
  readonly heard: readonly { readonly id: string; readonly key: number }[];
  readonly resets: () => number;
  /** When it last received a `reset`, by `performance.now()`. */
  readonly lastReset: () => number;
  readonly connections: () => number;
  /** Cuts its connection. It reconnects by itself and resumes after its last event. */
  readonly cut: () => void;
  /** Resolves when it has subscribed for the first time. */
  readonly opened: Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Session {
  readonly last: string | undefined;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onEvent: (id: string, key: number) => void;
  readonly onReset: (id: string) => void;
}

/** Stays subscribed to new books, whatever happens to its connections. Resolves each session when its connection has ended. */
function subscriber(listen: (session: Session) => Promise<void>): Subscriber {
  const heard: { id: string; key: number }[] = [];
  let [resets, lastReset, connections, isOver] = [0, 0, 0, false];
  let last: string | undefined;
  let controller = new AbortController();
  let onOpen = (): void => {};
  const opened = new Promise<void>((resolve) => {
    onOpen = resolve;
  });
  const running = (async () => {
    while (!isOver) {
      controller = new AbortController();
      const { signal } = controller;
      const session: Session = {
        last,
        signal,
        onOpen() {
          connections++;
          onOpen();
        },
        onEvent(id, key) {
          last = id;
          heard.push({ id, key });
        },
        onReset(id) {
          last = id;
          resets++;
          lastReset = performance.now();
        },
      };
      await listen(session).catch(() => {});
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    heard,
    resets: () => resets,
    lastReset: () => lastReset,
    connections: () => connections,
    cut: () => controller.abort(),
    opened,
    async stop() {
      isOver = true;
      controller.abort();
      await running;
    },
  };
}

/** The events of a stream, each as a list of lines. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  if (response.status !== 200) throw new Error(`The stream was refused with ${response.status}.`);
  let text = "";
  for await (const piece of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
    }
  }
}

/** By server-sent events and `Last-Event-ID`. */
export function subscribeByStream(url: () => string): Subscriber {
  return subscriber(async ({ last, signal, onOpen, onEvent, onReset }) => {
    const headers = { accept: "text/event-stream", ...(last === undefined ? {} : { "last-event-id": last }) };
    const response = await fetch(`${url()}/books?fields=id`, { headers, signal });
    if (response.status === 200) onOpen();
    for await (const text of eventsOf(response)) {
      const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(text) ?? [];
      if (id === undefined || data === undefined) continue;
      if (event === "reset") onReset(id);
      else onEvent(id, (JSON.parse(data) as { id: number }).id);
    }
  });
}

const QUERY = "subscription ($after: String) { bookCreated(after: $after) { key: id } }";

interface Result {
  readonly data: { readonly bookCreated: { readonly key: string } } | null;
  readonly extensions: { readonly eventId: string };
}

/** By GraphQL over server-sent events and `after`. */
export function subscribeByGraphqlStream(url: () => string): Subscriber {
  return subscriber(async ({ last, signal, onOpen, onEvent, onReset }) => {
    const headers = { accept: "text/event-stream", "content-type": "application/json" };
    const body = JSON.stringify({ query: QUERY, variables: { after: last } });
    const response = await fetch(`${url()}/graphql`, { method: "POST", headers, body, signal });
    if (response.status === 200) onOpen();
    for await (const text of eventsOf(response)) {
      const [, data] = /^event: next\ndata: (.*)$/.exec(text) ?? [];
      if (data === undefined) continue;
      const result = JSON.parse(data) as Result;
      if (result.data === null) onReset(result.extensions.eventId);
      else onEvent(result.extensions.eventId, Number(result.data.bookCreated.key));
    }
  });
}

/** By a WebSocket and `after`. */
export function subscribeBySocket(url: () => string): Subscriber {
  return subscriber(({ last, signal, onOpen, onEvent, onReset }) => {
    const socket = new WebSocket(`${url().replace("http", "ws")}/graphql`, "graphql-transport-ws");
    const send = (message: object): void => socket.send(JSON.stringify(message));
    signal.addEventListener("abort", () => socket.terminate());
    socket.on("error", () => {});
    socket.on("open", () => send({ type: "connection_init" }));
    socket.on("message", (bytes) => {
      const message = JSON.parse((bytes as Buffer).toString()) as { type: string; payload: Result };
      if (message.type === "connection_ack") {
        send({ type: "subscribe", id: "1", payload: { query: QUERY, variables: { after: last } } });
        // A subscription starts before the server responds to a later ping; one that reads a database starts a
        // little later.
        setTimeout(onOpen, 300);
      } else if (message.type === "next") {
        const { data, extensions } = message.payload;
        if (data === null) onReset(extensions.eventId);
        else onEvent(extensions.eventId, Number(data.bookCreated.key));
      } else if (message.type !== "pong") socket.terminate();
    });
    return new Promise((resolve) => socket.on("close", () => resolve()));
  });
}
