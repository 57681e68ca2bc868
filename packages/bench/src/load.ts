import autocannon from "autocannon";
import type { Contender } from "./contender.ts";
import type { Work } from "./works.ts";

const CONNECTIONS = 64;

interface Asked {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
}

async function requestOf({ url }: Contender, work: Work): Promise<Asked> {
  if (work.body === undefined) {
    const headers = { accept: "application/json" };
    if (work.isKnown !== true) return { method: "GET", headers };
    const etag = (await fetch(url + work.path, { headers })).headers.get("etag") ?? "";
    return { method: "GET", headers: { ...headers, "if-none-match": etag } };
  }
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
  const request = await requestOf(contender, work);
  const before = await contender.used();
  const result = await autocannon({
    url: contender.url + work.path,
    ...request,
    connections: CONNECTIONS,
    duration: seconds,
  });
  const { total } = result.requests;
  const { status = 200 } = work;
  const others = total - (result.statusCodeStats?.[`${status}`]?.count ?? 0);
  if (result.errors > 0 || others > 0) {
    throw new Error(`${contender.name}, ${work.name}: ${result.errors} errors, ${others} answers not ${status}.`);
  }
  return { rate: total / result.duration, cost: ((await contender.used()) - before) / total };
}

/** The answer, for comparing contenders before any load. */
export async function answerOf(contender: Contender, work: Work): Promise<unknown> {
  const response = await fetch(contender.url + work.path, await requestOf(contender, work));
  if (response.status !== (work.status ?? 200))
    throw new Error(`${contender.name}, ${work.name}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return work.pick((text === "" ? null : JSON.parse(text)) as never);
}
