import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
}

/** The language server of TypeScript 7, as editors run it. Only for Linux, where the kernel counts its CPU time. */
export class LanguageServer {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  constructor() {
    const require = createRequire(import.meta.url);
    const native = createRequire(require.resolve("@typescript/native/package.json"));
    const folder = dirname(native.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`));
    this.#process = spawn(join(folder, "lib", "tsc"), ["--lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.stdout.on("data", (data: Buffer) => this.#receive(data));
  }

  async request(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, ({ result }) => resolve(result));
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** CPU time in milliseconds. The kernel counts in steps of 10 ms. */
  cpuTime(): number {
    const [, numbers = ""] = readFileSync(`/proc/${this.#process.pid}/stat`, "utf8").split(") ");
    const [user, system] = numbers.split(" ").slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * 10;
  }

  close(): void {
    this.#process.kill();
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #receive(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    for (;;) {
      const head = this.#received.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.subarray(0, head).toString())?.[1]);
      const end = head + 4 + length;
      if (this.#received.length < end) return;
      const message = JSON.parse(this.#received.subarray(head + 4, end).toString()) as Message;
      this.#received = this.#received.subarray(end);
      this.#handle(message);
    }
  }

  #handle(message: Message): void {
    if (message.id === undefined) return;
    if (message.method === undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    } else {
      // The server asks for the settings of the editor, which has only defaults.
      this.#send({ id: message.id, result: message.params?.items?.map(() => null) ?? null });
    }
  }
}
