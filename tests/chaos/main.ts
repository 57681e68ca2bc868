// The long form of what `chaos.test.ts` shows in seconds: `npm run chaos`. Ends with 1 where anything was missed.
import { brokers, servers } from "@bifocal/test-servers";
import { runChaos } from "./chaos.ts";

const seconds = Number(process.env["CHAOS_SECONDS"] ?? 180);
const postgres = servers.find(({ name }) => name === "postgres");
if (postgres === undefined || postgres.missing !== undefined) throw new Error(postgres?.missing);

let hasFailed = false;
for (const broker of brokers) {
  if (broker.missing !== undefined) {
    console.log(`skipped: ${broker.missing}`);
    continue;
  }
  const database = await postgres.create();
  const report = await runChaos({ database, broker, seconds, perSecond: 300, kills: 10, cuts: 30, reconnects: 200 });
  await database.drop();
  const { missed, invented, ...figures } = report;
  console.log(broker.name, { ...figures, missed: missed.length, invented: invented.length });
  hasFailed ||= missed.length > 0 || invented.length > 0 || report.resets > 0;
}
process.exit(hasFailed ? 1 : 0);
