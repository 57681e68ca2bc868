import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A client with an event stream that counts events. */
export interface Subscriber {
  readonly counts: () => { readonly created: number; readonly reset: number };
  readonly close: () => void;
}

const LONGEST_NAME = "event: created\n".length;

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

export async function subscribe(url: string, path: string): Promise<Subscriber> {
  const { port } = new URL(url);
  const socket: Socket = connect(Number(port), "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`);
  await once(socket, "data");
  let [created, reset, rest] = [0, 0, ""];
  socket.on("data", (chunk: Buffer) => {
    const text = rest + chunk.toString("latin1");
    // The name of an event may arrive in two parts.
    const end = text.lastIndexOf("\n") + 1;
    created += count(text.slice(0, end), "event: created\n");
    reset += count(text.slice(0, end), "event: reset\n");
    rest = text.slice(Math.max(end, text.length - LONGEST_NAME));
  });
  return { counts: () => ({ created, reset }), close: () => socket.destroy() };
}

/** Waits until no subscriber has received anything for a second. */
export async function settle(subscribers: readonly Subscriber[]): Promise<void> {
  const all = (): string => JSON.stringify(subscribers.map(({ counts }) => counts()));
  for (let before = ""; before !== all(); ) {
    before = all();
    await sleep(1_000);
  }
}
