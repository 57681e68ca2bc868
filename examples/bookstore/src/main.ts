import { sqlStore } from "@bifocal/sql";
import { parseKeys } from "./keys.ts";
import { isAdapterName, startBookstore } from "./start.ts";

const { ADAPTER = "fastify", PORT = "3000", HOST, BOOKSTORE_KEYS, SEED, DATABASE_URL, SECRET } = process.env;
if (!isAdapterName(ADAPTER)) throw new Error(`ADAPTER is fastify, express or node-http, and not "${ADAPTER}".`);
if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535) {
  console.error(`PORT must be a number from 0 to 65535; received "${PORT}". Choose one, such as 3000.`);
  process.exit(1);
}

process.once("uncaughtException", (error: NodeJS.ErrnoException) => {
  if (error.code === "EADDRINUSE") console.error(`Port ${PORT} is in use. Set PORT to another port.`);
  else if (error.code === "UNAVAILABLE") console.error(`${error.message} Check DATABASE_URL.`);
  else console.error(error);
  process.exit(1);
});

const store = await startBookstore({
  adapter: ADAPTER,
  port: Number(PORT),
  host: HOST,
  keys: BOOKSTORE_KEYS === undefined ? undefined : parseKeys(BOOKSTORE_KEYS),
  seed: SEED,
  secret: SECRET,
  store: DATABASE_URL === undefined ? undefined : sqlStore({ url: DATABASE_URL, autoCreate: true }),
});
console.log(`Bookstore on ${ADAPTER}: ${store.url}`);
if (BOOKSTORE_KEYS === undefined) {
  for (const [caller, key] of Object.entries(store.keys)) console.log(`  ${caller}: Authorization: Bearer ${key}`);
  // A persistent store would get an additional key at every start.
  if (DATABASE_URL === undefined)
    console.log(`  ben, by a stored key: X-API-Key: ${await store.issueKey("ben", "demo")}`);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void store.close());
