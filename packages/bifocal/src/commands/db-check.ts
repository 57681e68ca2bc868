import { type Command, EXIT } from "../command.ts";
import { withDatabase } from "../database.ts";
import { print, tell } from "../io.ts";
import { DATABASE } from "../options.ts";

export const dbCheck: Command = {
  name: "db check",
  summary: "tells what differs between model and database, and which migrations wait",
  details: "Changes nothing. The exit code is 1 where there is anything to tell, for CI and before a start.",
  options: DATABASE,
  run: (call) =>
    withDatabase(call, async ({ tools, use, migrations }) => {
      const found = await tools.check(use, migrations);
      if (found.length === 0) {
        tell(call.io, "The database has what the model needs, and no migration waits.");
        return EXIT.done;
      }
      for (const line of found) print(call.io, `- ${line}`);
      return EXIT.failed;
    }),
};
