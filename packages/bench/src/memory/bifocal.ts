import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { createServer } from "node:http";
import { z } from "zod";
import { settings } from "../settings.ts";
import { serve } from "./serve.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), price: z.number() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
// All subscribers come from one address.
const limits = { ...settings.limits, reservedStreams: Infinity };
const api = defineApi({ ...settings, limits, resources: [book], log: silentLog });
const listener = nodeHttp(api);
const server = createServer(listener);
listener.attach(server);
serve(server);
