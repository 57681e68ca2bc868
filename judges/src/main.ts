// Runs third-party programs against the bookstore on each adapter. Exits with 1 if one of them finds an error.
import { startBookstore } from "./bookstore.ts";
import { CACHE_JUDGES } from "./caches.ts";
import { CLIENT_JUDGES } from "./clients/client-judges.ts";
import { DOCUMENT_JUDGES } from "./documents.ts";
import { FOREIGN_SERVERS } from "./foreign/foreign-servers.ts";
import { GENERATOR_JUDGES } from "./generators/generator-judges.ts";
import { INCREMENTAL_JUDGES } from "./incremental/incremental-judges.ts";
import { documentFolder, type Judge } from "./judge.ts";
import { jsonApi } from "./json-api.ts";
import { kitsu } from "./kitsu.ts";
import { nginx } from "./nginx.ts";
import { prism, prismJson, prismOverSuite } from "./prism.ts";
import { RELAY_JUDGES } from "./relay/relay-judges.ts";
import { prismRequests } from "./request-validity/request-judge.ts";
import { SCHEMATHESIS_JUDGES } from "./schemathesis.ts";
import { Skipped } from "./skipped.ts";
import { TYPED_GRAPHQL_JUDGES } from "./typed-graphql/typed-graphql-judges.ts";

const JUDGES: readonly Judge[] = [
  ...DOCUMENT_JUDGES,
  ...GENERATOR_JUDGES,
  prism,
  prismJson,
  prismRequests,
  ...CACHE_JUDGES,
  nginx,
  jsonApi,
  kitsu,
  ...CLIENT_JUDGES,
];
/** Judges that start all adapters themselves, or take long and look at the document only. */
const ONCE: readonly Judge[] = [prismOverSuite, ...SCHEMATHESIS_JUDGES];
const [only] = process.argv.slice(2);
let objections = 0;
let asked = 0;
let skipped = 0;

async function ask(where: string, name: string, run: () => Promise<void>): Promise<void> {
  if (only !== undefined && !name.toLowerCase().includes(only.toLowerCase())) return;
  asked++;
  try {
    await run();
    console.log(`ok    ${where}: ${name}`);
  } catch (thrown) {
    if (thrown instanceof Skipped) {
      skipped++;
      console.log(`skip  ${where}: ${name}: ${thrown.message}`);
      return;
    }
    objections++;
    console.log(`wrong ${where}: ${name}\n${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

for (const { name, run } of [...FOREIGN_SERVERS, ...RELAY_JUDGES, ...INCREMENTAL_JUDGES, ...TYPED_GRAPHQL_JUDGES])
  await ask("schema", name, run);
for (const adapter of ["fastify", "express", "node-http"]) {
  const bookstore = await startBookstore(adapter);
  try {
    const folder = await documentFolder(bookstore.url);
    const judges = adapter === "fastify" ? [...JUDGES, ...ONCE] : JUDGES;
    for (const judge of judges) await ask(adapter, judge.name, () => judge.run({ url: bookstore.url, folder }));
  } finally {
    bookstore.stop();
  }
}
console.log(objections === 0 ? "No judge objects." : `${objections} objections.`);
console.log(`cases: ${asked - skipped} judgements`);
process.exit(objections === 0 ? 0 : 1);
