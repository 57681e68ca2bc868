// One of several instances of an API on one database.
import { allow, asSystem, defineApi, defineResource, sequence, silentLog } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { sqlStore } from "@bifocal/sql";
import { createServer } from "node:http";
import { z } from "zod";
import { settings } from "../settings.ts";
import { serve } from "../subscribers/serve.ts";
import { url } from "../sql/database.ts";

const tick = defineResource("tick", {
  fields: { id: z.int32(), at: z.number() },
  generated: { id: sequence() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const store = sqlStore({ url, autoCreate: true });
const api = defineApi({ ...settings, resources: [tick], store, log: silentLog });
await api.ready;
const ticks = api.as(asSystem("bench")).tick;
const listener = nodeHttp(api);
const server = createServer(listener);
listener.attach(server);
// The machine's clock, which all processes share, read before the commit.
serve(server, async () => void (await ticks.create({ at: performance.timeOrigin + performance.now() })));
