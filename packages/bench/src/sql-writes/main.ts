// Compares creates on PostgreSQL and SQLite with hand-written SQL, which adds one guarantee at a time. Settings as in
// `compare.ts`.
import { compareWorks } from "../compare.ts";
import { deleteDatabases } from "./database.ts";
import { sqlWriteWorks } from "./works.ts";

await deleteDatabases();
await compareWorks(sqlWriteWorks);
await deleteDatabases();
process.exit(0);
