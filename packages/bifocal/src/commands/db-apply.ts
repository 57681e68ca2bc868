import { existsSync } from "node:fs";
import { type Command, EXIT } from "../command.ts";
import { withDatabase } from "../database.ts";
import { print, tell } from "../io.ts";
import { DATABASE } from "../options.ts";

export const dbApply: Command = {
  name: "db apply",
  summary: "runs the migrations that wait",
  details: `Each runs once, in the order of their numbers, however many instances start together: a lock of the database sees to it.
PostgreSQL and SQLite run each in a transaction. The table bifocal_migration keeps what was applied; a file that was
changed since is refused.`,
  options: {
    ...DATABASE,
    "allow-destructive": { type: "boolean", says: "applies what takes data away, too" },
  },
  run: (call) =>
    withDatabase(call, async ({ tools, migrations }) => {
      const allowDestructive = call.values["allow-destructive"] === true;
      const onApplied = (name: string): void => print(call.io, `applied ${name}`);
      const names = await tools.apply(migrations, { allowDestructive, onApplied });
      if (names.length > 0) return EXIT.done;
      const isThere = existsSync(migrations);
      tell(call.io, isThere ? "No migration waits." : `There is no ${migrations} yet: bifocal db plan makes it.`);
      return EXIT.done;
    }),
};
