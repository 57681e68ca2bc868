import autocannon from "autocannon";
import type { Contender } from "./contender.ts";
import type { Work } from "./works.ts";

const CONNECTIONS = 64;

function requestOf(work: Work): { method: "GET" | "POST"; headers: Record<string, string>; body?: string } {
  if (work.body === undefined) return { method: "GET", headers: { accept: "application/json" } };
  return { method: "POST", headers: { "content-type": "application/json" }, body: work.body };
}

export interface Sample {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of processor time that the server used for one request. */
  readonly cost: number;
}

/** Load for so many seconds; throws where any answer was not a 200. */
export async function measure(contender: Contender, work: Work, seconds: number): Promise<Sample> {
  const before = await contender.used();
  const result = await autocannon({
    url: contender.url + work.path,
    ...requestOf(work),
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${contender.name}, ${work.name}: ${result.errors} errors, ${result.non2xx} answers not 2xx.`);
  }
  const { total } = result.requests;
  return { rate: total / result.duration, cost: ((await contender.used()) - before) / total };
}

/** The answer, for comparing contenders before any load. */
export async function answerOf(contender: Contender, work: Work): Promise<unknown> {
  const response = await fetch(contender.url + work.path, requestOf(work));
  if (response.status !== 200)
    throw new Error(`${contender.name}, ${work.name}: ${response.status} ${await response.text()}`);
  return work.pick((await response.json()) as never);
}
