import { allow, apiKeys, defineApi, defineResource, memoryStore } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { sqlStore } from "@bifocal/sql";
import { createServer } from "node:http";
import { z } from "zod";
import { ready } from "../ready.ts";
import { url } from "./database.ts";

const [where] = process.argv.slice(2);

/** The same rows on each store. Callers are identified by key and have no rate limit. */
const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  page: { size: 100, max: 100 },
});
const store = where === "postgres" ? sqlStore({ url, autoCreate: true, max: 10 }) : memoryStore();
const auth = apiKeys({ "key of the greedy caller": { id: "greedy" }, "key of the polite caller": { id: "polite" } });
const log = { info() {}, warn() {}, error: console.error };
const api = defineApi({ resources: [note], store, auth, rateLimit: false, log, warnings: false });
await api.ready;
if ((await api.local.note.list({ page: { size: 1 } })).items.length === 0) {
  for (let id = 1; id <= 100; id++) await api.local.note.create({ id, text: `Note ${id}` });
}
const server = createServer(nodeHttp(api));
server.listen(0, "127.0.0.1", () => ready(server));
