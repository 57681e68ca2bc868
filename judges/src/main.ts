// Programs that nobody here wrote, run against the bookstore on each adapter. Ends with 1 where one of them objects.
import { startBookstore } from "./bookstore.ts";
import { CACHE_JUDGES } from "./caches.ts";
import { DOCUMENT_JUDGES } from "./documents.ts";
import { documentFolder, type Judge } from "./judge.ts";
import { jsonApi } from "./json-api.ts";
import { prism } from "./prism.ts";
import { typedClient } from "./typed-client.ts";

const JUDGES: readonly Judge[] = [...DOCUMENT_JUDGES, typedClient, prism, ...CACHE_JUDGES, jsonApi];
const [only] = process.argv.slice(2);
let objections = 0;
for (const adapter of ["fastify", "express", "node-http"]) {
  const bookstore = await startBookstore(adapter);
  try {
    const folder = await documentFolder(bookstore.url);
    for (const judge of JUDGES) {
      if (only !== undefined && !judge.name.toLowerCase().includes(only.toLowerCase())) continue;
      try {
        await judge.run({ url: bookstore.url, folder });
        console.log(`ok    ${adapter}: ${judge.name}`);
      } catch (thrown) {
        objections++;
        console.log(`wrong ${adapter}: ${judge.name}\n${thrown instanceof Error ? thrown.message : String(thrown)}`);
      }
    }
  } finally {
    bookstore.stop();
  }
}
console.log(objections === 0 ? "No judge objects." : `${objections} objections.`);
process.exit(objections === 0 ? 0 : 1);
