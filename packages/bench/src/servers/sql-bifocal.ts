import { defineApi } from "@bifocal/core";
import { bifocal } from "@bifocal/fastify";
import { type ReadPlan, sqlStore } from "@bifocal/sql";
import fastify from "fastify";
import { ready } from "../ready.ts";
import { settings } from "../settings.ts";
import { url } from "../sql/database.ts";
import { author, book } from "../sql/resources.ts";

// The argument selects the plan of nested reads.
const plan = (process.argv[2] ?? "auto") as ReadPlan;
const api = defineApi({ ...settings, resources: [author, book], store: sqlStore({ url, max: 10, plan }) });
await api.ready;
const app = fastify();
await app.register(bifocal, { api });
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
