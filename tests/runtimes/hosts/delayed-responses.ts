// Reads a row in turns with 40 requests each, and prints how many responses of the last turn were promises, and their bodies.
import { allow, defineApi, defineResource, memoryStore } from "@bifocal/core";
import { fetchHandler } from "@bifocal/fetch";
import { z } from "zod";

const note = defineResource("note", {
  fields: { id: z.int32(), title: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({ resources: [note], store: memoryStore({ data: { note: [{ id: 1, title: "a" }] } }) });
await api.ready;
const handler = fetchHandler(api, { address: () => "127.0.0.1" });

let answers: (Response | Promise<Response>)[] = [];
for (let turn = 0; turn < 3; turn++) {
  answers = Array.from({ length: 40 }, () => handler(new Request("http://127.0.0.1/notes/1")));
  for (const answer of answers) await answer;
  await new Promise((resolve) => setImmediate(resolve));
}
const delayed = answers.filter((answer) => answer instanceof Promise).length;
const bodies = await Promise.all(answers.map(async (answer) => (await answer).text()));
console.log(JSON.stringify([delayed, [...new Set(bodies)]]));
process.exit(0);
