import { nodeHttp, type NodeHttpOptions } from "@bifocal/node-http";
import { createServer, request as httpRequest, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createNotes, fetchJson } from "./notes.ts";

let server: Server | undefined;
afterEach(() => new Promise((resolve) => server?.close(resolve) ?? resolve(undefined)));

async function listen(options?: NodeHttpOptions): Promise<string> {
  const listener = nodeHttp(createNotes(), options);
  const created = createServer(listener);
  server = created;
  listener.attach(created);
  await new Promise<void>((resolve) => created.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(created.address() as AddressInfo).port}`;
}

test("passes other paths to the fallback", async () => {
  const url = await listen({
    prefix: "/api",
    fallback: (request, response) => void response.writeHead(200).end(`own ${request.url}`),
  });
  expect(await fetchJson(`${url}/api/notes/1`)).toMatchObject({ status: 200, body: { id: 1, text: "note 1" } });
  for (const path of ["/", "/notes", "/apix/notes", "/api/nothing"]) {
    expect(await fetchJson(url + path)).toMatchObject({ status: 200, body: `own ${path}` });
  }
  expect((await fetchJson(`${url}/api?x`)).status).toBe(200);
});

test("returns a problem for unknown paths without a fallback", async () => {
  const url = await listen();
  expect(await fetchJson(`${url}/nothing`)).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", instance: "/nothing" },
  });
});

test("treats the absolute form of a target as the same request (RFC 9112 §3.2.2)", async () => {
  const url = await listen({ prefix: "/api" });
  const { port } = new URL(url);
  const ask = (target: string, headers = "Connection: close") =>
    new Promise<string>((resolve, reject) => {
      // Without an end: a client that has ended its side gets no WebSocket, if the server answers later.
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`),
      );
      socket.once("error", reject).once("data", (piece: Buffer) => {
        resolve(piece.toString().slice(0, 12));
        socket.destroy();
      });
    });
  expect(await ask("http://x/api/notes/1")).toBe("HTTP/1.1 200");
  expect(await ask("/api/notes/1")).toBe("HTTP/1.1 200");
  expect(await ask("http://x?y")).toBe("HTTP/1.1 404");
  const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  upgrade.push(`Sec-WebSocket-Key: ${btoa("sixteen letters!")}`, "Sec-WebSocket-Protocol: graphql-transport-ws");
  expect(await ask("http://x/api/graphql", upgrade.join("\r\n"))).toBe("HTTP/1.1 101");
});

test.each(["api", "/api/", "/", "//", "/a?b"])("rejects an invalid prefix: %s", (prefix) => {
  expect(() => nodeHttp(createNotes(), { prefix })).toThrow(`The prefix '${prefix}' must start with '/'`);
});

test("rejects a body over the limit, whatever its Content-Length", async () => {
  const url = await listen();
  const send = (headers: Record<string, string>, bytes: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(`${url}/notes`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
      });
      sent.once("response", (response) => {
        resolve(response.statusCode);
        response.resume();
      });
      sent.once("error", reject);
      sent.end(Buffer.alloc(bytes, " "));
    });
  // Anonymous callers cannot create, but the size limit is checked first.
  expect(await send({}, 1_048_577)).toBe(413);
  expect(await send({ "content-length": "1048577" }, 1_048_577)).toBe(413);
  expect(await send({ "transfer-encoding": "chunked" }, 1_000)).toBe(400);
});

test("keeps serving after a client disconnects in the middle of a body", async () => {
  const url = await listen();
  const { port } = new URL(url);
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"id": 5',
      () => socket.destroy(),
    );
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await fetchJson(`${url}/notes`)).body).toHaveLength(3);
});

test("serves nothing for hostile paths", async () => {
  const url = await listen();
  const { port } = new URL(url);
  const raw = (path: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1");
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.once("close", () => resolve(text.split("\r\n", 1)[0] as string));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    });
  for (const path of [
    "/notes/%",
    "/notes/%00",
    "/notes/%E0%A4",
    "//notes",
    "/notes//1",
    "/notes/../notes/1",
    "/notes/constructor",
    "/__proto__",
    "/notes/1/__proto__",
    "/constructor/1",
  ]) {
    expect(await raw(path)).toBe("HTTP/1.1 404 Not Found");
  }
  for (const query of [
    "__proto__[x]=1",
    "filter[__proto__][eq]=1",
    "filter[constructor]=1",
    "page[__proto__]=1",
    "sort=__proto__",
    "fields=constructor",
    "include=toString",
  ]) {
    expect(await raw(`/notes?${query}`)).toBe("HTTP/1.1 400 Bad Request");
  }
});
