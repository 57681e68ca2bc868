import type { SchemaStep } from "@bifocal/core/store";
import { relative } from "node:path";
import { type Command, EXIT, textOf } from "../command.ts";
import { withDatabase } from "../database.ts";
import { type Io, paint, print, tell } from "../io.ts";
import { DATABASE } from "../options.ts";

const EMPTY = { steps: [], text: "-- Written by hand. Statements end with semicolons.\n", name: "empty" };

export const dbPlan: Command = {
  name: "db plan",
  summary: "writes what the database lacks as the next migration file",
  details: `Compares the model with the database that the API's store is of, and writes plain SQL to be read, kept with the code and
applied by \`bifocal db apply\`. What takes data away, or needs a value that nobody knows, is told and not planned,
unless --allow-destructive is given.`,
  options: {
    ...DATABASE,
    name: { type: "string", value: "<name>", says: "what to call the file (default: by what it does)" },
    "allow-destructive": { type: "boolean", says: "plans what takes data away, too" },
    empty: { type: "boolean", says: "writes an empty file, to be filled by hand" },
    "dry-run": { type: "boolean", says: "prints the file instead of writing it" },
  },
  run: (call) =>
    withDatabase(call, async ({ tools, use, migrations }) => {
      const { values, io } = call;
      const write = async (plan: Parameters<typeof tools.write>[1]): Promise<typeof EXIT.done> => {
        if (values["dry-run"] === true) print(io, plan.text);
        else print(io, relative(io.folder, await tools.write(migrations, plan, textOf(values, "name"))));
        return EXIT.done;
      };
      if (values["empty"] === true) return write(EMPTY);
      const plan = await tools.plan(use, migrations);
      if (plan.steps.length === 0) {
        tell(io, "The database has what the model needs: there is nothing to plan.");
        return EXIT.done;
      }
      for (const step of plan.steps) tellStep(io, step);
      const isDangerous = plan.steps.some(({ danger }) => danger !== undefined);
      if (!isDangerous || values["allow-destructive"] === true) return write(plan);
      tell(
        io,
        "\nNothing was written. If that is what you want, plan again with --allow-destructive, and read the file well.",
      );
      return EXIT.failed;
    }),
};

function tellStep(io: Io, { title, danger, hint }: SchemaStep): void {
  tell(io, `${danger === undefined ? "+" : paint(io.err, "red", "!")} ${title}`);
  if (danger !== undefined) tell(io, `    ${paint(io.err, "red", "destructive:")} ${danger}`);
  if (hint !== undefined) tell(io, `    ${hint}`);
}
