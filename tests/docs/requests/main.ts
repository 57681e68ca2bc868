// Writes the requests of the pages in GraphQL and TypeScript, below those in REST.
import { readFileSync, writeFileSync } from "node:fs";
import { PAGES, ROOT } from "../snippets.ts";
import { writeRequests } from "./write-requests.ts";

for (const page of PAGES) {
  const text = readFileSync(ROOT + page, "utf8");
  const written = await writeRequests(text);
  if (written !== text) writeFileSync(ROOT + page, written);
}
