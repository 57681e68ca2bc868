import { api } from "./src/bifocal-api.ts";
const enc = new TextEncoder();
function req(doc: string, variables?: object) {
  const bytes = enc.encode(JSON.stringify({ query: doc, variables }));
  return {
    method: "POST",
    path: "/graphql",
    query: "",
    prefix: "",
    headers: { "content-type": "application/json" },
    body: () => Promise.resolve(bytes),
    signal: new AbortController().signal,
    raw: undefined,
  } as never;
}
let n = 0;
const text = () => `query Q${n++} { books(first: 50) { nodes { id title author { name } } } }`;
const fixed = req(text());
async function cpu(name: string, k: number, f: () => unknown) {
  for (let r = 0; r < 3; r++) {
    const t = process.cpuUsage();
    for (let i = 0; i < k; i++) await f();
    const c = process.cpuUsage(t);
    if (r === 2) console.log(name, ((c.user + c.system) / k).toFixed(1));
  }
}
for (let z = 0; z < 3; z++) {
  await cpu("new", 6000, () => api.handle(req(text())));
}
