import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { openRawSocket } from "../subscribers/raw-socket.ts";

/** Opens one subscriber at a port. `n` makes ids unique. */
export type Subscribe = (port: number, n: number) => Promise<unknown>;

const QUERY = "subscription { bookUpdated { id title price } }";
/** Additional headers of each request. A browser sends about twice as many. */
const HEADERS = ["Host: 127.0.0.1", "User-Agent: bench", "Accept-Encoding: identity", "Accept-Language: en"];
const STREAM = "Accept: text/event-stream";

async function request(port: number, lines: readonly string[], body = ""): Promise<{ socket: Socket; text: string }> {
  const socket = connect(port, "127.0.0.1");
  const length = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  socket.write([lines[0], ...HEADERS, ...lines.slice(1), ...length, "", body].join("\r\n"));
  let text = "";
  const collect = (chunk: Buffer): void => void (text += chunk.toString());
  socket.on("data", collect);
  // The head may arrive separately.
  do await once(socket, "data");
  while (!text.includes("\r\n\r\n"));
  socket.off("data", collect).resume();
  if (!/^HTTP\/1\.1 20[012]/.test(text)) throw new Error(text);
  return { socket, text };
}

const queryOf = (extensions?: object): string => JSON.stringify({ query: QUERY, ...(extensions && { extensions }) });

/** Opens `GET /books` as server-sent events. */
export const restStream: Subscribe = (port) => request(port, ["GET /books HTTP/1.1", STREAM]);

/** Opens a stream for one operation (graphql-sse, distinct connections mode). */
export const distinctStream: Subscribe = (port) => request(port, ["POST /graphql HTTP/1.1", STREAM], queryOf());

/**
 * Reserves and opens a stream, and starts one operation on it (graphql-sse, single connection mode). The other requests
 * close their connection.
 */
export const singleStream: Subscribe = async (port, n) => {
  const reserved = await request(port, ["PUT /graphql HTTP/1.1", "Connection: close", "Content-Length: 0"]);
  const token = /\r\n\r\n.*?([0-9a-f-]{36})/s.exec(reserved.text)?.[1];
  if (token === undefined) throw new Error(reserved.text);
  const named = `X-GraphQL-Event-Stream-Token: ${token}`;
  await request(port, ["GET /graphql HTTP/1.1", STREAM, named]);
  await request(
    port,
    ["POST /graphql HTTP/1.1", "Connection: close", named],
    queryOf({ operationId: String(n).padStart(36, "0") }),
  );
};

/** Opens a socket with graphql-transport-ws. */
export const webSocket: Subscribe = (port, n) =>
  openRawSocket(port, [
    JSON.stringify({ type: "connection_init" }),
    JSON.stringify({ id: String(n).padStart(36, "0"), type: "subscribe", payload: { query: QUERY } }),
  ]);
