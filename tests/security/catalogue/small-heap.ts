// Started by its test with a small heap: an API with a list of five megabytes.
import { memoryStore } from "@bifocal/core";
import { createLibrary, serve } from "../limits/library.ts";

const book = Array.from({ length: 10_000 }, (_, id) => ({ id, authorId: 1, title: `${id} ${"x".repeat(500)}` }));
const data = { author: [{ id: 1, name: "Jane Austen" }], book };
const { url } = await serve(createLibrary({ store: memoryStore({ data }) }));
process.send?.(url);
