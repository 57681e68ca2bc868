import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { allow, defineApi, defineResource, deny, memoryStore } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { z } from "zod";
import { settings } from "../settings.ts";

const row = defineResource("row", {
  fields: { id: z.int32(), name: z.string(), price: z.number(), text: z.string() },
  access: { read: allow, create: deny, update: deny, delete: deny },
});
const data = Array.from({ length: 100_000 }, (_, id) => ({
  id,
  name: `Row ${id}`,
  price: id / 4,
  text: "Some text of the length that text in rows commonly has, so about eighty characters.",
}));
const api = defineApi({ ...settings, resources: [row], store: memoryStore({ data: { row: data } }) });
await api.local.row.get(1);
data.length = 0;
globalThis.gc?.();

let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5).unref();
process.on("message", () => {
  process.send?.(peak);
  peak = 0;
});
const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port, idle: process.memoryUsage.rss() });
});
