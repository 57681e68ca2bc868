// Measures the cost of rejections: CPU time for each attack at sizes ×1, ×2, ×4 and ×8, and memory at the largest.
// Fails if a rejection takes more than 100 milliseconds or 16 MiB, or if twice the size takes more than 2.5 times as
// long. `npm run verify:abuse`
import type { HttpResponse } from "@bifocal/core/adapter";
import { rateLimit } from "@bifocal/core/rate-limit";
import { request } from "@bifocal/test-servers/request";
import { ATTACKS } from "./attacks.ts";
import { createLibrary, type Library } from "./library.ts";
import { REQUESTS } from "./requests.ts";

const SIZES = [1, 2, 4, 8] as const;
const MAX_MS = 100;
const MAX_BYTES = 16 * 1024 * 1024;
/** For a body of almost a megabyte that JSON parses into objects. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_GROWTH = 2.5;
/** Times below this number of milliseconds are noise. */
const NOISE = 1;
const ROUNDS = 15;

// Requests follow each other without a pause, which would count as overload.
const RESTLESS = { http: { eventLoopDelay: Number.POSITIVE_INFINITY } };
const library = createLibrary({}, { limits: RESTLESS });

/** A measured rejection at some size. Each run uses a different text. */
interface Subject {
  readonly label: string;
  /** Builds the text, which isn't measured. The returned function runs the measured request. */
  readonly prepare: (size: number, round: number) => () => Promise<void>;
}

type Request = Parameters<Library["api"]["handle"]>[0];

/** Runs one request in process. */
async function send({ api }: Library, parts: Partial<Request>, text = ""): Promise<HttpResponse> {
  const response = await api.handle({ ...request("POST", "/graphql", { text }), ...parts });
  if (response === null) throw new Error("Nothing exists at this path.");
  return response;
}

const documents = ATTACKS.map(
  (attack): Subject => ({
    label: `${attack.id} ${attack.name}`,
    prepare(size, round) {
      const { query, ...others } = attack.ask(size);
      const text = JSON.stringify({ query: `${query}#${round}`, ...others });
      return async () => {
        const { body } = await send(library, {}, text);
        if (library.calls.length > 0) throw new Error(`${attack.id} asked the store.`);
        if (!(body as string).includes('"errors"')) throw new Error(`${attack.id} was answered.`);
      };
    },
  }),
);

const requests = REQUESTS.map(
  ({ id, name, method, path, headers, body, status }): Subject => ({
    label: `${id} ${name}`,
    prepare(size, round) {
      const [at = "", query = ""] = path(size).split("?", 2);
      const given = { "content-type": "application/json", ...headers?.(size) };
      const text = body?.(size, 1_000 + round);
      return async () => {
        const answered = await send(library, { method, path: at, query, headers: given }, text);
        const isRefused = status >= 400 || (answered.body as string).includes('"errors"');
        if (answered.status !== status || !isRefused)
          throw new Error(
            `${id} ×${size} was answered with ${answered.status}: ${(answered.body as string).slice(0, 500)}`,
          );
      };
    },
  }),
);

/** An API with a rate limit by address, for requests with any number of forwarded addresses. */
const limited = createLibrary(
  {},
  { limits: RESTLESS, rateLimit: rateLimit({ anonymousPoints: 1 }), trustedProxies: ["10.0.0.0/8"] },
);
const overloaded = createLibrary({}, { limits: { http: { inFlight: 0 } } });
const others: readonly Subject[] = [
  {
    label: "I01 many proxies in front of a caller over the limit",
    prepare: (size) => async () => {
      const headers = { "x-forwarded-for": "10.1.2.3,".repeat(200 * size) };
      const answered = await send(limited, { method: "GET", path: "/authors/1", address: "10.0.0.1", headers });
      if (answered.status !== 429) throw new Error(`Answered with ${answered.status}.`);
    },
  },
  {
    label: "I06 many addresses",
    prepare: (size, round) => async () => {
      for (let n = 0; n < 100 * size; n++) {
        const address = `2001:db8:${(round + 1).toString(16)}:${n.toString(16)}::1`;
        await send(limited, { method: "GET", path: "/authors/1", address });
      }
      await send(limited, { method: "GET", path: "/authors/1", address: "10.0.0.1" });
    },
  },
  {
    label: "requests of which there are too many at a time",
    prepare: (size) => async () => {
      for (let n = 0; n < 200 * size; n++) {
        const { status } = await send(overloaded, { method: "GET", path: "/authors/1" });
        if (status !== 503) throw new Error(`Answered with ${status}.`);
      }
    },
  },
];

/** CPU time in milliseconds, the minimum of several rounds, because other work on the machine only adds time. */
async function timeOf(subject: Subject, size: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const refuse = subject.prepare(size, size * 100 + round);
    const before = process.cpuUsage();
    await refuse();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Bytes that a rejection uses until they are collected. */
async function memoryOf(subject: Subject, size: number): Promise<number> {
  const refuse = subject.prepare(size, ROUNDS);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  await refuse();
  return Math.max(0, process.memoryUsage().heapUsed - before);
}

const wrong: string[] = [];
console.log(`| attack | ${SIZES.map((size) => `×${size}`).join(" | ")} | memory |\n|---|---|---|---|---|---|`);
for (const subject of [...documents, ...requests, ...others]) {
  const { label } = subject;
  const times: number[] = [];
  // The first request compiles code, and uses up the points of the first address.
  await subject
    .prepare(1, 0)()
    .catch(() => {});
  for (const size of SIZES) {
    const before = times.at(-1);
    const isTooMuch = (time: number): boolean => before !== undefined && time / Math.max(before, NOISE) > MAX_GROWTH;
    let time = await timeOf(subject, size);
    // Other processes use the machine too: a time counts as too long only if it is too long on each attempt.
    for (let again = 0; again < 5 && isTooMuch(time); again++) time = Math.min(time, await timeOf(subject, size));
    if (time > MAX_MS) wrong.push(`${label} ×${size}: ${time.toFixed(1)} ms`);
    if (before !== undefined && isTooMuch(time)) {
      wrong.push(`${label} ×${size}: ${(time / before).toFixed(1)} times as long as half of it`);
    }
    times.push(time);
  }
  const bytes = await memoryOf(subject, SIZES[3]);
  const most = documents.includes(subject) ? MAX_BYTES : MAX_BODY_BYTES;
  if (bytes > most) wrong.push(`${label}: ${Math.round(bytes / 1024)} KiB`);
  const figures = times.map((time) => `${time.toFixed(2)} ms`).join(" | ");
  console.log(`| ${label} | ${figures} | ${Math.round(bytes / 1024)} KiB |`);
}
console.log(wrong.length === 0 ? "\nEvery refusal is cheap." : `\n${wrong.join("\n")}`);
console.log(`cases: ${(documents.length + requests.length + others.length) * SIZES.length} measurements`);
process.exitCode = wrong.length === 0 ? 0 : 1;
