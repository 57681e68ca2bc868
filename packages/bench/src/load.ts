import autocannon from "autocannon";
import type { Contender } from "./contender.ts";
import type { Work } from "./works.ts";

const CONNECTIONS = 64;

interface Asked {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
}

let asked = 0;

/** What one request sends; other than any before it where the work says so. */
function bodyOf({ body }: Work): string | undefined {
  return typeof body === "function" ? body(asked++) : body;
}

async function requestOf({ url }: Contender, work: Work): Promise<Asked> {
  const body = bodyOf(work);
  if (body === undefined) {
    const headers = { accept: "application/json" };
    if (work.isKnown !== true) return { method: "GET", headers };
    const etag = (await fetch(url + work.path, { headers })).headers.get("etag") ?? "";
    return { method: "GET", headers: { ...headers, "if-none-match": etag } };
  }
  return { method: "POST", headers: { "content-type": "application/json" }, body };
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
    ...(typeof work.body === "function" && {
      requests: [{ setupRequest: (request) => ({ ...request, body: bodyOf(work) }) }],
    }),
    connections: work.connections ?? CONNECTIONS,
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

/** Throws where a contender takes a body that the work says is refused. */
export async function checkRefusals(contender: Contender, work: Work): Promise<void> {
  for (const body of work.refused ?? []) {
    const response = await fetch(contender.url + work.path, { ...(await requestOf(contender, work)), body });
    const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
    const hasData = data !== undefined && data !== null && Object.values(data).some((value) => value !== null);
    if (hasData || !Array.isArray(errors)) throw new Error(`${contender.name}, ${work.name}: takes ${body}`);
  }
}

/** The answer, for comparing contenders before any load. */
export async function answerOf(contender: Contender, work: Work): Promise<unknown> {
  const response = await fetch(contender.url + work.path, await requestOf(contender, work));
  if (response.status !== (work.status ?? 200))
    throw new Error(`${contender.name}, ${work.name}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return work.pick((text === "" ? null : JSON.parse(text)) as never);
}
