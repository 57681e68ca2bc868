import { enableCompileCache } from "node:module";

// Most of the start is spent reading source code.
enableCompileCache();
const { startAtlas } = await import("./start.ts");
const { createProgressPrinter } = await import("./print-progress.ts");

const { PORT = "3000", HOST, DATABASE_URL } = process.env;
if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535) {
  console.error(`PORT must be a number from 0 to 65535; received "${PORT}". Choose one, such as 3000.`);
  process.exit(1);
}

process.once("uncaughtException", (error: NodeJS.ErrnoException) => {
  if (error.code === "EADDRINUSE") console.error(`Port ${PORT} is in use. Set PORT to another port.`);
  else if (error.code === "UNAVAILABLE")
    console.error(
      `${error.message} Check DATABASE_URL. If the database is from an older version of this example, delete it.`,
    );
  else console.error(error);
  process.exit(1);
});
const atlas = await startAtlas({
  port: Number(PORT),
  host: HOST,
  database: DATABASE_URL,
  importing: createProgressPrinter(process.stdout),
});
console.log(`${atlas.counts.countries} countries, ${atlas.counts.cities} cities: ${atlas.url}`);
console.log(`  REST under ${atlas.url}/api, GraphQL at ${atlas.url}/api/graphql (ready after ${elapsed()} s)`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void atlas.close());

function elapsed(): string {
  return (performance.now() / 1000).toFixed(1);
}
