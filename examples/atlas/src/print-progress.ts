import type { ImportOptions } from "./create.ts";

/** Prints the progress of the import: one line that changes in a terminal, and a line per quarter elsewhere. */
export function createProgressPrinter(output: Pick<NodeJS.WriteStream, "isTTY" | "write">): ImportOptions {
  let quarter = -1;
  return {
    onStart: () => void output.write("Importing the data, once.\n"),
    onProgress({ name, inserted, total }) {
      if (name !== "city") return;
      const share = inserted / total;
      const count = `${inserted.toLocaleString("en")} of ${total.toLocaleString("en")}`;
      const line = `Importing cities: ${count} (${Math.floor(share * 100)} %)`;
      if (output.isTTY) output.write(`\r${line}${share === 1 ? "\n" : ""}`);
      else if (Math.floor(share * 4) > quarter) output.write(`${line}\n`);
      quarter = Math.floor(share * 4);
    },
  };
}
