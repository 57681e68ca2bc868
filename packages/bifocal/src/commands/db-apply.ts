import { existsSync } from "node:fs";
import { type Command, EXIT } from "../command.ts";
import { withDatabase } from "../database.ts";
import { print, printMessage } from "../io.ts";
import { DATABASE } from "../options.ts";

export const dbApply: Command = {
  name: "db apply",
  summary: "Apply pending migrations",
  details: `Each migration runs once, in numerical order. A database lock makes this safe if several instances start together.
PostgreSQL and SQLite run each migration in a transaction. Applied migrations are recorded in the table bifocal_migration;
a file that changed after it was applied is rejected.`,
  options: {
    ...DATABASE,
    "allow-destructive": { type: "boolean", description: "also apply destructive migrations" },
  },
  run: (call) =>
    withDatabase(call, async ({ tools, migrations }) => {
      const allowDestructive = call.values["allow-destructive"] === true;
      const onApplied = (name: string): void => print(call.io, `applied ${name}`);
      const start = performance.now();
      const names = await tools.apply(migrations, { allowDestructive, onApplied });
      if (names.length > 0) {
        const seconds = ((performance.now() - start) / 1_000).toFixed(1);
        printMessage(
          call.io,
          `Applied ${names.length} ${names.length === 1 ? "migration" : "migrations"} in ${seconds} s.`,
        );
        return EXIT.done;
      }
      const exists = existsSync(migrations);
      printMessage(
        call.io,
        exists ? "No pending migrations." : `${migrations} does not exist yet. Run bifocal db plan to create it.`,
      );
      return EXIT.done;
    }),
};
