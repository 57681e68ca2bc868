// Writes notes until it is killed. Prints a line for each acknowledged write: a + and its texts, or a - and the id of a
// deleted note.
import { asSystem } from "@bifocal/core";
import { writeSync } from "node:fs";
import { createRecordedNotes } from "./recorded-notes.ts";

const { DATABASE_URL = "", ROUND = "0" } = process.env;
const SHARED = "shared";
const api = createRecordedNotes(DATABASE_URL);
const { note, shelf } = api.as(asSystem("a writer"));
let count = 0;

/** Blocks until the line is written, so that a killed process has reported exactly what it knew. */
const report = (line: string): void => void writeSync(1, `${line}\n`);

async function write(worker: number): Promise<void> {
  const name = (): string => `${ROUND}-${worker}-${count++}`;
  for (;;) {
    const [first, second, third, fourth] = [name(), name(), name(), name()];
    await note.create({ id: first, text: first });
    report(`+ ${first}`);
    await note.update(first, { text: second });
    report(`+ ${second}`);
    await note.actions.rename(first, { text: third });
    report(`+ ${third}`);
    await note.update(SHARED, { text: fourth });
    report(`+ ${fourth}`);
    const [whole, part] = [name(), name()];
    await shelf.create({ id: whole, text: whole, notes: [{ id: part, text: part }] });
    report(`+ ${whole} ${part}`);
    await note.delete(first);
    report(`- ${first}`);
    if (worker % 2 === 0) {
      const back = name();
      await note.restore(first);
      await note.update(first, { text: back });
      report(`+ ${back}`);
    }
  }
}

await api.ready;
await Promise.all([0, 1, 2, 3].map(write));
