import type { SchemaStep } from "@bifocal/core/store";
import { relative } from "node:path";
import { type Command, EXIT, textOf } from "../command.ts";
import { withDatabase } from "../database.ts";
import { type Io, paint, print, printMessage } from "../io.ts";
import { DATABASE } from "../options.ts";

const EMPTY = { steps: [], text: "-- Write your statements here. End each with a semicolon.\n", name: "empty" };

export const dbPlan: Command = {
  name: "db plan",
  summary: "Create a migration for the changes since the last one",
  details: `Compares the model with the store's database and writes the difference as plain SQL. Review the file, commit it and
apply it with \`bifocal db apply\`. Steps that delete data, drop a unique constraint or need a value for existing rows are
reported and not written, unless you pass --allow-destructive.`,
  options: {
    ...DATABASE,
    name: { type: "string", value: "<name>", description: "file name (default: derived from the changes)" },
    "allow-destructive": { type: "boolean", description: "also plan destructive steps" },
    empty: { type: "boolean", description: "create an empty file for your own statements" },
    "dry-run": { type: "boolean", description: "print the file instead of writing it" },
  },
  run: (call) =>
    withDatabase(call, async ({ tools, use, migrations }) => {
      const { values, io } = call;
      const write = async (plan: Parameters<typeof tools.write>[1]): Promise<typeof EXIT.done> => {
        if (values["dry-run"] === true) print(io, plan.text);
        else {
          print(io, relative(io.folder, await tools.write(migrations, plan, textOf(values, "name"))));
          printMessage(io, "\nReview the file and commit it. Then run bifocal db apply.");
        }
        return EXIT.done;
      };
      if (values["empty"] === true) return write(EMPTY);
      const plan = await tools.plan(use, migrations);
      if (plan.steps.length === 0) {
        printMessage(io, "Database is up to date. Nothing to plan.");
        return EXIT.done;
      }
      for (const step of plan.steps) printStep(io, step);
      const isDangerous = plan.steps.some(({ danger }) => danger !== undefined);
      if (!isDangerous || values["allow-destructive"] === true) return write(plan);
      printMessage(
        io,
        "\nNothing was written. To plan these steps anyway, run again with --allow-destructive and review the file.",
      );
      return EXIT.failed;
    }),
};

function printStep(io: Io, { title, danger, hint }: SchemaStep): void {
  printMessage(io, `${danger === undefined ? "+" : paint(io.err, "red", "!")} ${title}`);
  if (danger !== undefined) printMessage(io, `    ${paint(io.err, "red", "destructive:")} ${danger}`);
  if (hint !== undefined) printMessage(io, `    ${hint}`);
}
