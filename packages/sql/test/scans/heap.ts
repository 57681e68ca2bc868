// Run by a test with a small heap: many conditions that ignore case, over many rows.
import { sqlStore } from "../../src/index.ts";
import { createLibrary, fillLibrary, unmet } from "./library.ts";

const file = process.argv[2] as string;
const api = createLibrary(sqlStore(`sqlite:${file}`), 120_000);
await api.ready;
fillLibrary(file, 100_000);
const { items } = await api.local.book.list({ filter: unmet(40) });
process.stdout.write(`${items.length} books`);
await api.close();
