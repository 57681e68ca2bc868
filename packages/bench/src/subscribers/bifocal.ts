import { allow, asSystem, defineApi, defineResource, silentLog } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { createServer } from "node:http";
import { z } from "zod";
import { settings } from "../settings.ts";
import { serve } from "./serve.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), price: z.number() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({ ...settings, resources: [book], log: silentLog });
const books = api.as(asSystem("bench")).book;
await books.create({ id: 1, title: "A title of common length", price: 0 });

const listener = nodeHttp(api);
const server = createServer(listener);
listener.attach(server);
let price = 0;
serve(server, async () => void (await books.update(1, { price: ++price })));
