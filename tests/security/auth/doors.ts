import { WebSocket } from "ws";

/** The credentials of a caller, as headers by name. */
export type Shown = Readonly<Record<string, string>>;

/** The caller that the API sees, or the status of the rejection: for a socket, its close code. */
export type Seen = string | number;
export type Door = (url: string, shown: Shown) => Promise<Seen>;

const QUERY = "{ callers { nodes { name } } }";

async function post(url: string, shown: Shown, accept: string): Promise<Response> {
  const headers = { "content-type": "application/json", accept, ...shown };
  return fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query: QUERY }) });
}

interface Result {
  readonly data: { readonly callers: { readonly nodes: readonly { readonly name: string }[] } };
}
const nameIn = (result: Result): string => result.data.callers.nodes[0]?.name ?? "a stranger";

/** Every HTTP door. */
export const HTTP_DOORS: Readonly<Record<string, Door>> = {
  REST: async (url, shown) => {
    const response = await fetch(`${url}/callers`, { headers: shown });
    const body = (await response.json()) as readonly { readonly name: string }[];
    return response.status === 200 ? (body[0]?.name ?? "a stranger") : response.status;
  },
  "event stream of REST": async (url, shown) => {
    const headers = { accept: "text/event-stream", ...shown };
    const response = await fetch(`${url}/callers?initial=true`, { headers });
    if (response.status !== 200) return response.status;
    let text = "";
    let name: string | undefined;
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      name = /"name":"([^"]+)"/.exec(text)?.[1];
      if (name !== undefined) break;
    }
    return name ?? "a stranger";
  },
  GraphQL: async (url, shown) => {
    const response = await post(url, shown, "application/json");
    return response.status === 200 ? nameIn((await response.json()) as Result) : response.status;
  },
  "event stream of GraphQL": async (url, shown) => {
    const response = await post(url, shown, "text/event-stream");
    const text = await response.text();
    if (response.status !== 200) return response.status;
    return nameIn(JSON.parse(/^event: next\ndata: (.*)$/m.exec(text)?.[1] ?? "") as Result);
  },
};

/** The WebSocket doors: credentials in headers of the upgrade, or in `connection_init`. */
export const SOCKET_DOORS: Readonly<Record<string, Door>> = {
  "WebSocket, by the headers of its upgrade": async (url, shown) => askSocket(await openSocket(url, shown), undefined),
  "WebSocket, by connection_init": async (url, shown) => askSocket(await openSocket(url, {}), shown),
};

export const DOORS: Readonly<Record<string, Door>> = { ...HTTP_DOORS, ...SOCKET_DOORS };

export async function openSocket(url: string, headers: Shown): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { headers });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return socket;
}

/** Resolves to the close code of the socket. */
export function closedWith(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.once("close", resolve));
}

/** Initializes the protocol and sends a query. Returns the close code if the socket is closed instead. */
export async function askSocket(socket: WebSocket, payload: unknown): Promise<Seen> {
  const closed = closedWith(socket);
  const seen = new Promise<Seen>((resolve) => {
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { readonly type: string; readonly payload: Result };
      if (message.type === "connection_ack") {
        socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query: QUERY } }));
      } else if (message.type === "next") resolve(nameIn(message.payload));
    });
  });
  socket.send(JSON.stringify({ type: "connection_init", ...(payload === undefined ? {} : { payload }) }));
  const answer = await Promise.race([seen, closed]);
  socket.terminate();
  return answer;
}

const FORBIDDEN = 4403;
const TRY_AGAIN_LATER = 1013;

/** The close code of a socket for an HTTP status (graphql-ws PROTOCOL.md). */
export function atDoor(door: string, seen: Seen): Seen {
  if (typeof seen === "string" || !door.startsWith("WebSocket")) return seen;
  return seen === 503 ? TRY_AGAIN_LATER : FORBIDDEN;
}
