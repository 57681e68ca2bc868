// Arguments: the database, and the last guarantee.
import { ready } from "../ready.ts";
import { createByHandApp } from "../sql-writes/by-hand-app.ts";
import { createDatabase, type DatabaseName } from "../sql-writes/database.ts";
import type { Guarantee } from "../sql-writes/guarantees.ts";
import { createPostgresWriter } from "../sql-writes/postgres-writer.ts";
import { createSqliteWriter } from "../sql-writes/sqlite-writer.ts";

const [kind, last] = process.argv.slice(2) as [DatabaseName, Guarantee];
const url = await createDatabase(kind);
const writer = kind === "postgres" ? createPostgresWriter(url) : createSqliteWriter(url);
const app = createByHandApp(writer, last);
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
