import { allow, defineApi, defineResource } from "@bifocal/core";
import { fetchHandler } from "@bifocal/fetch";
import { nodeHttp } from "@bifocal/node-http";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";

const MESSAGE =
  "This server doesn't accept WebSockets here. Subscribe over server-sent events, or accept WebSockets with `attach(server)` on Node or the option `sockets` of fetchHandler().";
const refused = { errors: [{ message: MESSAGE, extensions: { code: "BAD_REQUEST" } }] };
const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({ resources: [note] });

test("a WebSocket at a listener that isn't attached gets a 400 that names `attach`", async () => {
  const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  for (const address of [url, `${url}?lang=en`]) {
    const socket = new WebSocket(address, "graphql-transport-ws");
    const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
    expect([response.statusCode, JSON.parse(await text(response))]).toEqual([400, refused]);
  }
});

test("fetchHandler without `sockets` names the option, but responds to a query", async () => {
  const handler = fetchHandler(api, { address: () => "127.0.0.1" });
  const ask = async (query: string): Promise<[number, unknown]> => {
    const headers = { upgrade: "websocket", connection: "Upgrade" };
    const response = await handler(new Request(`http://127.0.0.1/graphql${query}`, { headers }));
    return [response.status, await response.json()];
  };
  expect(await ask("")).toEqual([400, refused]);
  expect(await ask("?query={notes{totalCount}}")).toEqual([200, { data: { notes: { totalCount: 0 } } }]);
});
