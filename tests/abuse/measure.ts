// What refusing costs: processor time for each attack at sizes ×1, ×2, ×4 and ×8, and memory at the largest. Fails where a
// refusal takes more than 100 milliseconds or 16 MiB, or a doubling more than 2.5 times as long. `npm run verify:abuse`
import { type Attack, ATTACKS } from "./attacks.ts";
import { createLibrary, type Library } from "./library.ts";

const SIZES = [1, 2, 4, 8] as const;
const MOST_MILLISECONDS = 100;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_GROWTH = 2.5;
/** Milliseconds below which a figure is noise. */
const NOISE = 1;
const ROUNDS = 15;

/** One request in process, whose text nobody has sent before. */
async function refuse({ api }: Library, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  const response = await api.handle({
    method: "POST",
    path: "/graphql",
    query: "",
    prefix: "",
    headers: { "content-type": "application/json" },
    body: () => Promise.resolve(bytes),
    signal: new AbortController().signal,
    raw: undefined,
  });
  if (response === null || !(response.body as string).includes('"errors"')) throw new Error("The attack was answered.");
}

function textOf(attack: Attack, size: number, round: number): string {
  const { query, ...others } = attack.ask(size);
  return JSON.stringify({ query: `${query}#${round}`, ...others });
}

/** Milliseconds of processor time, the least of some rounds: what others do on the machine only adds. */
async function timeOf(library: Library, attack: Attack, size: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const text = textOf(attack, size, round);
    const before = process.cpuUsage();
    await refuse(library, text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Bytes that a refusal takes until they are collected. */
async function memoryOf(library: Library, attack: Attack, size: number): Promise<number> {
  const text = textOf(attack, size, ROUNDS);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  await refuse(library, text);
  return Math.max(0, process.memoryUsage().heapUsed - before);
}

const library = createLibrary();
const wrong: string[] = [];
console.log(`| attack | ${SIZES.map((size) => `×${size}`).join(" | ")} | memory |\n|---|---|---|---|---|---|`);
for (const attack of ATTACKS) {
  const label = `${attack.id} ${attack.name}`;
  const times: number[] = [];
  // The first of its kind pays for what is compiled when it is first used.
  await refuse(library, textOf(attack, 1, -1));
  for (const size of SIZES) {
    const time = await timeOf(library, attack, size);
    const before = times.at(-1);
    if (time > MOST_MILLISECONDS) wrong.push(`${label} ×${size}: ${time.toFixed(1)} ms`);
    if (before !== undefined && time / Math.max(before, NOISE) > MOST_GROWTH) {
      wrong.push(`${label} ×${size}: ${(time / before).toFixed(1)} times as long as half of it`);
    }
    times.push(time);
  }
  const bytes = await memoryOf(library, attack, SIZES[3]);
  if (bytes > MOST_BYTES) wrong.push(`${label}: ${Math.round(bytes / 1024)} KiB`);
  const figures = times.map((time) => `${time.toFixed(2)} ms`).join(" | ");
  console.log(`| ${label} | ${figures} | ${Math.round(bytes / 1024)} KiB |`);
}
if (library.calls.length > 0) wrong.push(`The store was asked ${library.calls.length} times.`);
console.log(wrong.length === 0 ? "\nEvery refusal is cheap." : `\n${wrong.join("\n")}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
