// Arguments: the database, and `version` for an `ETag` that counts writes.
import { bifocal } from "@bifocal/fastify";
import fastify from "fastify";
import { ready } from "../ready.ts";
import { createDatabase, type DatabaseName, openApi } from "../sql-writes/database.ts";

const [kind, variant] = process.argv.slice(2) as [DatabaseName, "version" | undefined];
const isCounted = variant === "version";
const { api } = openApi(await createDatabase(kind, { isCounted }), isCounted);
await api.ready;
const app = fastify();
await app.register(bifocal, { api });
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
