// Creates notes in the SQLite file of the argument, 32 at a time, and sends the id of each one that was acknowledged,
// until the process is killed.
import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  unique: [["text"]],
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({ resources: [note], store: sqlStore(`sqlite:${process.argv[2]}`), log: silentLog });

let last = 0;
async function createForever(): Promise<never> {
  for (;;) {
    const id = ++last;
    await api.local.note.create({ id, text: `Note ${id}` });
    process.send?.(id);
  }
}
await Promise.all(Array.from({ length: 32 }, createForever));
