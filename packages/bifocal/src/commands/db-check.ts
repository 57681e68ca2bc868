import { type Command, EXIT } from "../command.ts";
import { withDatabase } from "../database.ts";
import { print, printMessage } from "../io.ts";
import { DATABASE } from "../options.ts";

export const dbCheck: Command = {
  name: "db check",
  summary: "Show schema drift and pending migrations",
  details:
    "Changes nothing. Exits with 1 if it finds a difference or a pending migration. Run it in CI and before a start.",
  options: DATABASE,
  run: (call) =>
    withDatabase(call, async ({ tools, use, migrations }) => {
      const found = await tools.check(use, migrations);
      if (found.length === 0) {
        printMessage(call.io, "Database is up to date.");
        return EXIT.done;
      }
      for (const line of found) print(call.io, line);
      printMessage(call.io, "\nRun bifocal db plan for schema drift, and bifocal db apply for pending migrations.");
      return EXIT.failed;
    }),
};
