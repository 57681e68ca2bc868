import { BifocalError } from "../client-error.ts";

/** Maximum time until the server acknowledges a connection. */
const TIMEOUT_MS = 10_000;
const PROTOCOL = "graphql-transport-ws";
/** The server rejected the credential, or it has expired. */
const REJECTED = /^440[13]$/;

/**
 * Opens a connection with the protocol `graphql-transport-ws`. Browsers can't set headers of a WebSocket, so they are the
 * payload of the first message. Resolves with the error's response if the server rejects them.
 */
export async function connectSocket(
  url: string,
  headers: HeadersInit | undefined,
  accept: (socket: WebSocket) => void,
): Promise<Response> {
  const socket = new WebSocket(toSocketUrl(url), PROTOCOL);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.close();
      reject(new Error(`The server at ${url} didn't acknowledge the WebSocket.`));
    }, TIMEOUT_MS);
    socket.onopen = () => socket.send(JSON.stringify({ type: "connection_init", payload: headers }));
    socket.onmessage = ({ data }) => {
      if ((JSON.parse(String(data)) as { readonly type?: string }).type !== "connection_ack") return;
      clearTimeout(timer);
      accept(socket);
      resolve(new Response());
    };
    socket.onclose = ({ code, reason }) => {
      clearTimeout(timer);
      if (REJECTED.test(String(code)))
        resolve(Response.json({ code: "UNAUTHENTICATED", detail: reason }, { status: 401 }));
      else reject(new Error(`The WebSocket was closed with ${code} ${reason}`));
    };
  });
}

function toSocketUrl(url: string): string {
  const base = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  return new URL(url, base).href.replace(/^http/, "ws");
}

/** Returns the error of a closed connection. A new connection helps, unless the messages of this client are at fault. */
export function closeError({ code, reason }: CloseEvent): BifocalError {
  if (code === 1009) return new BifocalError("PAYLOAD_TOO_LARGE", "The server accepts no message of this size.");
  if (code === 4400) return new BifocalError("BAD_REQUEST", reason);
  return new BifocalError("UNAVAILABLE", "The connection was lost.");
}
