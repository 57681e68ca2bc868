import { connect, type Socket } from "node:net";

/** A response as received over the socket. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Everything received until the socket closed or was silent for `patience` milliseconds. */
export interface Exchange {
  readonly replies: readonly RawReply[];
  readonly isClosed: boolean;
}

/** Sends bytes unchanged. Resolves after `count` responses. */
export async function exchange(
  port: number,
  sent: string | Uint8Array,
  { count = 1, patience = 5_000 }: { readonly count?: number; readonly patience?: number } = {},
): Promise<Exchange> {
  const socket = connect(port, "127.0.0.1");
  const came = read(socket, count, patience);
  socket.write(sent);
  const exchanged = await came;
  socket.destroy();
  return exchanged;
}

function read(socket: Socket, count: number, patience: number): Promise<Exchange> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer);
      resolve({ replies: parse(bytes), isClosed });
    };
    const timer = setTimeout(() => finish(false), patience);
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (parse(bytes).length >= count) finish(false);
    });
    // Bytes that arrive before a reset count.
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
  });
}

/** Parses responses in order: each has a head, and a body by its length or in chunks until the empty one. */
function parse(bytes: Buffer): readonly RawReply[] {
  const replies: RawReply[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0) return replies;
    const [line = "", ...lines] = bytes.subarray(at, end).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(lines.map((one) => splitAt(one, one.indexOf(":"))));
    const status = Number(line.split(" ")[1]);
    const body = bodyAt(bytes, end + 4, status, headers);
    if (body === undefined) return replies;
    if (status !== 100) replies.push({ status, headers, text: body.text });
    at = body.end;
  }
}

function bodyAt(
  bytes: Buffer,
  start: number,
  status: number,
  headers: Readonly<Record<string, string>>,
): { readonly text: string; readonly end: number } | undefined {
  if (status < 200 || status === 204 || status === 304) return { text: "", end: start };
  if (headers["transfer-encoding"] === "chunked") {
    const last = bytes.indexOf("0\r\n\r\n", start);
    return last < 0 ? undefined : { text: bytes.subarray(start, last).toString(), end: last + 5 };
  }
  const end = start + Number(headers["content-length"] ?? 0);
  return end > bytes.length ? undefined : { text: bytes.subarray(start, end).toString(), end };
}

function splitAt(line: string, at: number): readonly [string, string] {
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
}

/** The head and body of a request. Only `Host` is added, if it is missing. */
export function request(line: string, headers: readonly string[] = [], body = ""): string {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : ["Host: 127.0.0.1"];
  return `${line} HTTP/1.1\r\n${[...host, ...headers].map((header) => `${header}\r\n`).join("")}\r\n${body}`;
}
