import { createServer, request as forward } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface CuttableProxy {
  /** The URL of the server, through the proxy. */
  readonly url: string;
  /** The number of connections that were upgraded to a WebSocket. */
  readonly sockets: () => number;
  /** The number of event streams and WebSockets that are open. */
  readonly open: () => number;
  /** Cuts all connections. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy that can cut connections. `refusesUpgrade` makes it a proxy without WebSockets. */
export async function startCuttableProxy(
  target: string,
  { refusesUpgrade = false }: { readonly refusesUpgrade?: boolean } = {},
): Promise<CuttableProxy> {
  const { host, hostname, port, pathname } = new URL(target);
  const upgraded = new Set<Socket>();
  let sockets = 0;
  let open = 0;
  const proxy = createServer((request, response) => {
    const isStream = request.headers.accept === "text/event-stream";
    const { method, headers, url = "" } = request;
    const out = forward(`http://${host}${url}`, { method, headers }, (answer) => {
      if (isStream) open += 1;
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
      response.once("close", () => {
        if (isStream) open -= 1;
        answer.destroy();
      });
    });
    out.on("error", () => response.destroy());
    request.pipe(out);
  });
  proxy.on("upgrade", (request, socket: Socket, head) => {
    if (refusesUpgrade) {
      socket.end("HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n\r\n");
      return;
    }
    sockets += 1;
    open += 1;
    const out = connect(Number(port), hostname, () => {
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      out.write(`GET ${request.url} HTTP/1.1\r\n${headers.join("")}\r\n`);
      out.write(head);
      socket.pipe(out);
      out.pipe(socket);
    });
    upgraded.add(socket);
    for (const end of [socket, out]) end.on("error", () => {});
    socket.once("close", () => {
      open -= 1;
      upgraded.delete(socket);
      out.destroy();
    });
    out.once("close", () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    proxy.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`,
    sockets: () => sockets,
    open: () => open,
    cut,
    async close() {
      cut();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
