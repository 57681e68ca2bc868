// One instance of an API in its own process. Its options come from the environment, and it sends its port as a
// message.
import { createServer } from "node:http";
import { flushCompileCache } from "node:module";
import type { AddressInfo } from "node:net";
import { allow, consoleLog, defineApi, defineResource, uuid } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { sqlStore } from "@bifocal/sql";
import type { TestBroker } from "@bifocal/test-servers";
import { z } from "zod";
import { createBus } from "../events/buses.ts";

const { DATABASE_URL = "", BUS_KIND = "", BUS_URL = "", BUS_CHANNEL = "", POLL = "200" } = process.env;

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

// Without a bus, the store's own bus is used.
const bus = BUS_KIND === "" ? {} : { bus: createBus[BUS_KIND as TestBroker["name"]](BUS_URL, BUS_CHANNEL) };
/** Only the request's key prevents a duplicate. */
const order = defineResource("order", {
  fields: { id: z.uuid(), token: z.string() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

const api = defineApi({
  resources: [book, order],
  store: sqlStore({ url: DATABASE_URL, autoCreate: true }),
  events: { poll: Number(POLL), ...bus },
  // Subscribers that are cut repeatedly reconnect immediately.
  limits: { subscriptions: { resumptions: Number.POSITIVE_INFINITY } },
  // The tests interrupt the bus on purpose, so don't log it.
  log: { ...consoleLog, info: () => {}, warn: () => {} },
});
await api.ready;
// Write the compile cache now: a killed process would not write it.
flushCompileCache();
const mount = nodeHttp(api);
const server = createServer(mount);
mount.attach(server);
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
// The test process has ended.
process.on("disconnect", () => process.exit(0));
