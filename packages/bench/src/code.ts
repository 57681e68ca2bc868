// Measures the code of a request alone: contenders get their input without a network, so neither the kernel nor the
// load generator is measured. The speed of a machine varies, so contenders take short turns, and ratios compare
// neighboring turns. JIT compilation varies by process, so every round starts new processes. ROUNDS (default 3),
// ONLY, and an argument select as in `main.ts`. BEFORE, a checkout of another commit with installed packages,
// compares Bifocal with itself at that commit.
import { BEFORE, type Contender, startContender } from "./contender.ts";
import { chooseWorks } from "./chosen.ts";
import { checkAnswers, requestText } from "./load.ts";
import { median } from "./median.ts";
import { type Work, works } from "./works.ts";

const rounds = Number(process.env["ROUNDS"] ?? 3);
const MICROSECONDS = 200_000;
const WARM_UP = 8;
const TURNS = 15;
const OURS = ["bifocal-fastify", "bifocal-node-http"];

/** The cost of a request in one turn of each contender, by its name. */
type Turn = ReadonlyMap<string, number>;

async function runRound(work: Work, names: readonly string[]): Promise<readonly Turn[]> {
  const contenders: Contender[] = [];
  try {
    for (const name of names) contenders.push(await startContender(name));
    await checkAnswers(contenders, work);
    const requests = new Map<Contender, string>();
    for (const contender of contenders) requests.set(contender, await requestText(contender, work));
    const turns: Turn[] = [];
    const known = new Map<Contender, number>(contenders.map((contender) => [contender, 100]));
    for (let turn = -WARM_UP; turn < TURNS; turn++) {
      const costs = new Map<string, number>();
      for (const [contender, request] of requests) {
        const count = Math.ceil(MICROSECONDS / (known.get(contender) as number));
        const cost = await contender.feed({ request, count });
        known.set(contender, cost);
        costs.set(contender.name, cost);
      }
      if (turn >= 0) turns.push(costs);
    }
    return turns;
  } finally {
    for (const contender of contenders) contender.stop();
  }
}

function print({ name: title }: Work, names: readonly string[], turns: readonly Turn[]): void {
  const ours = OURS.filter((name) => names.includes(name));
  const costOf = (turn: Turn, name: string): number => turn.get(name) as number;
  console.log(`\n### ${title}\n`);
  console.log(`| contender | µs of code a request | ${ours.map((name) => `${name} is × as fast`).join(" | ")} |`);
  console.log(`|---|${"---:|".repeat(ours.length + 1)}`);
  for (const name of names) {
    const cost = median(turns.map((turn) => costOf(turn, name))).toFixed(1);
    const ratios = ours.map((own) => median(turns.map((turn) => costOf(turn, name) / costOf(turn, own))).toFixed(2));
    console.log(`| ${[name, cost, ...ratios].join(" | ")} |`);
  }
}

for (const { work, names: chosen } of chooseWorks(works)) {
  const own = OURS.filter((name) => chosen.includes(name));
  const names = process.env["BEFORE"] === undefined ? chosen : own.flatMap((name) => [name, `${name}${BEFORE}`]);
  const turns: Turn[] = [];
  for (let round = 0; round < rounds; round++) turns.push(...(await runRound(work, names)));
  print(work, names, turns);
}
