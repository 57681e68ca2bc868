// Compares creates on PostgreSQL and SQLite with hand-written SQL, which adds one guarantee at a time. BEFORE, a checkout
// of another commit with installed packages, adds Bifocal at that commit.
import { compareWorks } from "../compare.ts";
import { BEFORE } from "../contender.ts";
import type { Work } from "../works.ts";
import { deleteDatabases } from "./database.ts";
import { sqlWriteWorks } from "./works.ts";

function withBefore(work: Work): Work {
  const isOurs = (name: string): boolean => name.startsWith("sql-writes-bifocal");
  const contenders = work.contenders.flatMap((name) => (isOurs(name) ? [name, `${name}${BEFORE}`] : [name]));
  return { ...work, contenders };
}

await deleteDatabases();
await compareWorks(process.env["BEFORE"] === undefined ? sqlWriteWorks : sqlWriteWorks.map(withBefore));
await deleteDatabases();
process.exit(0);
