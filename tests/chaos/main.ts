// The long form of `chaos.test.ts`: `npm run chaos`. Exits with 1 if an event was missed.
import { brokers, servers } from "@bifocal/test-servers";
import { runChaos } from "./chaos.ts";
import { type CrashOptions, runCrashes } from "./crashes.ts";
import { startOwnPostgres } from "./own-postgres.ts";

const seconds = Number(process.env["CHAOS_SECONDS"] ?? 180);
const postgres = servers.find(({ name }) => name === "postgres");
if (postgres === undefined || postgres.missing !== undefined) throw new Error(postgres?.missing);

// Runs only the named one.
const { CHAOS_BUS } = process.env;

let hasFailed = false;
let acknowledged = 0;

/**
 * Runs writes while processes are killed. No acknowledged write may be lost or done twice, and no subscriber may
 * miss an event without a `reset`.
 */
async function crash(name: string, options: CrashOptions): Promise<void> {
  const { lost, doubled, invented, missed, ...figures } = await runCrashes(options);
  const mistakes = { lost: lost.length, doubled: doubled.length, invented: invented.length, missed: missed.length };
  console.log(`${options.kills} kills, ${name}`, { ...figures, ...mistakes });
  acknowledged += figures.acknowledged;
  hasFailed ||= lost.length + doubled.length + invented.length + missed.length > 0;
}

const kills = Number(process.env["CHAOS_KILLS"] ?? 200);
for (const { name, missing, create } of servers) {
  if (missing !== undefined) {
    console.log(`skipped: ${missing}`);
    continue;
  }
  const database = await create();
  await crash(`of the application on ${name}`, { url: database.url, kills });
  await database.drop();
}
const own = await startOwnPostgres();
if (own === undefined) console.log("skipped: there is no PostgreSQL to be killed.");
else {
  await crash("of PostgreSQL", { url: own.url, kills: Math.ceil(kills / 10), kill: own.crash });
  await own.stop();
}

for (const broker of brokers.filter(({ name }) => CHAOS_BUS === undefined || name === CHAOS_BUS)) {
  if (broker.missing !== undefined) {
    console.log(`skipped: ${broker.missing}`);
    continue;
  }
  const database = await postgres.create();
  const report = await runChaos({ database, broker, seconds, perSecond: 300, kills: 10, cuts: 30, reconnects: 200 });
  await database.drop();
  const { missed, invented, ...figures } = report;
  console.log(broker.name, { ...figures, missed: missed.length, invented: invented.length });
  acknowledged += figures.acknowledged;
  hasFailed ||= missed.length > 0 || invented.length > 0 || report.resets > 0;
}
console.log(`cases: ${acknowledged} acknowledged writes`);
process.exit(hasFailed ? 1 : 0);
