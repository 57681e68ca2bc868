// Measures accepted requests at the limits over many rows. Fails if a request takes more than 100 milliseconds of processor
// time for each point that it costs, takes longer than `limits.query.timeout`, or keeps the event loop. `npm run verify:abuse`
import { ACCEPTED, type Accepted } from "./requests.ts";
import { type OpenWorld, WORLDS } from "./world.ts";

const ROWS = Number(process.env["ABUSE_ROWS"] ?? 100_000);
const STORES = process.env["ABUSE_STORES"]?.split(",");
const MAX_MS_PER_POINT = 100;
const MAX_MS = 10_000;
/** Milliseconds for which one request may keep the event loop of the memory store. */
const MAX_BLOCKED_MS = 250;
const ROUNDS = 3;

interface Figures {
  /** CPU time of this process. For a database server, which is another process, the time until it has responded. */
  readonly work: number;
  readonly whole: number;
  readonly blocked: number;
}

/** Milliseconds, the minimum of several rounds, because other work on the machine only adds time. */
async function measure(world: OpenWorld, { name, ask }: Accepted, isServer: boolean): Promise<Figures> {
  let least: Figures | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    let blocked = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      blocked = Math.max(blocked, now - last);
      last = now;
    }, 1);
    const cpu = process.cpuUsage();
    const begin = performance.now();
    const { status, text } = await world.send(ask(round));
    const whole = performance.now() - begin;
    const { user, system } = process.cpuUsage(cpu);
    blocked = Math.max(blocked, performance.now() - last);
    clearInterval(timer);
    if (status !== 200 || text.includes('"errors"')) throw new Error(`${name}: ${status} ${text.slice(0, 300)}`);
    const work = isServer ? whole : (user + system) / 1_000;
    // The first round compiles the code that later rounds use.
    if (least === undefined || work < least.work) least = { work, whole, blocked };
  }
  return least as Figures;
}

const wrong: string[] = [];
console.log(
  `\n| accepted, ${ROWS} rows | store | points | work | per point | whole | blocked |\n|---|---|---|---|---|---|---|`,
);
for (const { name: store, missing, open } of WORLDS) {
  if (missing !== undefined || STORES?.includes(store) === false) continue;
  const world = await open(ROWS);
  try {
    for (const accepted of ACCEPTED) {
      const { name, pointsOf } = accepted;
      const points = pointsOf?.(ROWS) ?? accepted.points;
      const label = `${name}, ${store}`;
      const figuresOf = measure(world, accepted, store === "postgres" || store === "mysql");
      const measured = await figuresOf.catch((thrown: unknown) => void wrong.push(`${label}: ${String(thrown)}`));
      if (measured === undefined) continue;
      const { work, whole, blocked } = measured;
      if (work / points > MAX_MS_PER_POINT) wrong.push(`${label}: ${Math.round(work / points)} ms for a point`);
      if (whole > MAX_MS) wrong.push(`${label}: ${Math.round(whole)} ms`);
      if (store === "memory" && blocked > MAX_BLOCKED_MS) wrong.push(`${label}: blocked for ${Math.round(blocked)} ms`);
      const figures = [work, work / points, whole, blocked].map((value) => `${value.toFixed(1)} ms`);
      console.log(`| ${name} | ${store} | ${points} | ${figures.join(" | ")} |`);
    }
  } finally {
    await world.close();
  }
}
console.log(wrong.length === 0 ? "\nEvery accepted request pays for its work." : `\n${wrong.join("\n")}`);
process.exit(wrong.length === 0 ? 0 : 1);
