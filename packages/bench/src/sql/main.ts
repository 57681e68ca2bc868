// On PostgreSQL, with 10,000 authors and 100,000 books.
import { compareAll } from "../compare.ts";
import { prepareDatabase } from "./database.ts";
import { sqlWorks } from "./works.ts";

await prepareDatabase();
await compareAll(sqlWorks);
