import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

/** Serves one resource, and prints its port, then after each connection what it has loaded. */
const SERVER = `
  import { registerHooks } from "node:module";
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  const { allow, defineApi, defineResource } = await import("@bifocal/core");
  const { serve } = await import("@bifocal/node-http");
  const { z } = await import("zod");
  const access = { read: allow, create: allow, update: allow, delete: allow };
  const note = defineResource("note", { fields: { id: z.int32() }, access });
  const { server } = await serve(defineApi({ resources: [note] }), { port: 0, host: "127.0.0.1" });
  const print = (value) => console.log(JSON.stringify(value));
  const loaded = () => ({
    zod: urls.some((url) => url.includes("node_modules/zod/")),
    ws: urls.some((url) => url.includes("node_modules/ws/")),
    fetch: process.moduleLoadList.some((name) => name.includes("deps/undici/undici")),
  });
  server.on("connection", (socket) => socket.on("close", () => print(loaded())));
  print(server.address().port);
`;

test("loads ws with the first WebSocket, and never Node's fetch", async () => {
  const flags = ["--conditions=@bifocal/source", "--disable-warning=ExperimentalWarning", "--input-type=module"];
  const child = spawn(process.execPath, [...flags, "-e", SERVER], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const line = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
    const origin = `127.0.0.1:${String(await line())}`;
    const response = await fetch(`http://${origin}/notes`, { headers: { connection: "close" } });
    expect(await response.json()).toEqual([]);
    expect(await line()).toEqual({ zod: true, ws: false, fetch: false });
    const socket = new WebSocket(`ws://${origin}/graphql`, "graphql-transport-ws");
    await once(socket, "open");
    socket.close();
    expect(await line()).toEqual({ zod: true, ws: true, fetch: false });
  } finally {
    child.kill();
  }
});
