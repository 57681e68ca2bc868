import { HOSTS, startTracker } from "./start.ts";

const { HOST = "fastify", PORT = "3000", DATABASE_URL } = process.env;
if (HOST !== "fastify" && HOST !== "express") {
  throw new Error(`HOST is ${Object.keys(HOSTS).join(" or ")}, and not "${HOST}".`);
}
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

const { url, keys, close } = await startTracker({ host: HOST, port: Number(PORT), databaseUrl: DATABASE_URL });
console.log(`Tracker on ${HOST}: ${url}`);
for (const [id, key] of keys) console.log(`  ${id}: Authorization: Bearer ${key}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
