// Measures the code of a request alone: contenders get their input without a network, so neither the kernel nor the
// load generator is measured. The speed of a machine varies, so contenders take short turns, and ratios compare
// neighboring turns. JIT compilation varies by process, so every round starts new processes. ROUNDS (default 3),
// ONLY, and an argument select as in `main.ts`. BEFORE, a checkout of another commit with installed packages,
// compares Bifocal with itself at that commit. With WAKES=1, each request also wakes a process on the last core.
import { BEFORE, type Contender, startContender } from "./contender.ts";
import { chooseWorks } from "./chosen.ts";
import type { Feed } from "./feed.ts";
import { checkAnswers, followText, requestText } from "./load.ts";
import { median } from "./median.ts";
import { oursOf } from "./ours.ts";
import { TIMES_CREATE, timesCreate } from "./times-create.ts";
import { type Work, works } from "./works.ts";

const rounds = Number(process.env["ROUNDS"] ?? 3);
const MICROSECONDS = 200_000;
const WARM_UP = 8;
const TURNS = 15;

/** The cost of a request in one turn of each contender, by its name. */
type Turn = ReadonlyMap<string, Cost>;

interface Cost {
  readonly cost: number;
  /** The cost of an update or a delete, divided by that of a create in the same turn. */
  readonly timesCreate: number;
}

async function feedFor(contender: Contender, given: Omit<Feed, "count">, cost: number): Promise<number> {
  return contender.feed({ ...given, count: Math.ceil(MICROSECONDS / cost) });
}

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
      const costs = new Map<string, Cost>();
      for (const [contender, request] of requests) {
        const before = known.get(contender) as number;
        const follow = followText(contender, work);
        const cost = await feedFor(contender, { request, follow }, before);
        known.set(contender, cost);
        const create = work.follow === undefined ? cost : await feedFor(contender, { request }, before);
        costs.set(contender.name, {
          cost,
          timesCreate: work.follow === undefined ? 1 : timesCreate(work.follow, cost, create),
        });
      }
      if (turn >= 0) turns.push(costs);
    }
    return turns;
  } finally {
    for (const contender of contenders) contender.stop();
  }
}

function print({ name: title, follow }: Work, names: readonly string[], turns: readonly Turn[]): void {
  const ours = oursOf(names);
  const costOf = (turn: Turn, name: string): number => (turn.get(name) as Cost).cost;
  const perCreate = follow === undefined ? [] : [TIMES_CREATE[follow.method]];
  console.log(`\n### ${title}\n`);
  const columns = ["µs of code a request", ...perCreate, ...ours.map((name) => `${name} is × as fast`)];
  console.log(`| contender | ${columns.join(" | ")} |`);
  console.log(`|---|${"---:|".repeat(columns.length)}`);
  for (const name of names) {
    const cost = median(turns.map((turn) => costOf(turn, name))).toFixed(1);
    const ratios = ours.map((own) => median(turns.map((turn) => costOf(turn, name) / costOf(turn, own))).toFixed(2));
    const times = perCreate.map(() => median(turns.map((turn) => (turn.get(name) as Cost).timesCreate)).toFixed(2));
    console.log(`| ${[name, cost, ...times, ...ratios].join(" | ")} |`);
  }
}

for (const { work, names: chosen } of chooseWorks(works)) {
  const own = oursOf(chosen);
  const names = process.env["BEFORE"] === undefined ? chosen : own.flatMap((name) => [name, `${name}${BEFORE}`]);
  const turns: Turn[] = [];
  for (let round = 0; round < rounds; round++) turns.push(...(await runRound(work, names)));
  print(work, names, turns);
}
