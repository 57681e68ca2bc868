import { defineApi } from "@bifocal/core";
import { bifocal } from "@bifocal/fastify";
import { sqlStore } from "@bifocal/sql";
import fastify from "fastify";
import { ready } from "../ready.ts";
import { url } from "../sql/database.ts";
import { author, book } from "../sql/resources.ts";

const api = defineApi({ resources: [author, book], store: sqlStore({ url, max: 10 }) });
await api.ready;
const app = fastify();
await app.register(bifocal, { api });
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
