import { deepStrictEqual } from "node:assert";
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import type { Contender } from "./contender.ts";
import type { Follow, Work } from "./works.ts";

const CONNECTIONS = 64;
/** Number of ids, starting at 1. */
const IDS = 100_000;
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "bifocal-bench-"));

interface Asked {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export async function requestOf({ name, url }: Contender, work: Work): Promise<Asked> {
  const { path, isKnown = false } = work;
  const body = work.bodies?.[name] ?? work.body;
  if (body !== undefined)
    return { method: "POST", headers: { "content-type": "application/json", ...work.headers }, body };
  const headers = { accept: "application/json" };
  if (!isKnown) return { method: "GET", headers };
  const etag = (await fetch(url + path, { headers })).headers.get("etag") ?? "";
  return { method: "GET", headers: { ...headers, "if-none-match": etag } };
}

/** The request as text, as it arrives over a connection. */
export async function requestText(contender: Contender, work: Work): Promise<string> {
  const { method, headers, body = "" } = await requestOf(contender, work);
  const { host } = new URL(contender.url);
  const length = Buffer.byteLength(body.replace("$N", "1234567"));
  const lines = Object.entries({ host, ...headers, ...(method === "POST" ? { "content-length": length } : {}) });
  return `${method} ${work.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

/** The request on an existing row as text, with `$ID` and `$ETAG`. */
export function followText({ url }: Contender, { path, follow }: Work): string | undefined {
  if (follow === undefined) return undefined;
  const { method, body = "" } = follow;
  const length = `content-length: ${Buffer.byteLength(body.replace("$N", "1234567"))}\r\n`;
  const condition = body === "" ? "" : `content-type: application/json\r\nif-match: $ETAG\r\n${length}`;
  return `${method} ${path}/$ID HTTP/1.1\r\nhost: ${new URL(url).host}\r\naccept: application/json\r\n${condition}\r\n${body}`;
}

/**
 * Functions for wrk that send `follow` for each row whose response has arrived, and create a row if none is free. No two
 * requests on the same row are in flight.
 */
function followScript({ method, body }: Follow, path: string): readonly string[] {
  const headers = body === undefined ? "" : `, ["content-type"] = "application/json", ["if-match"] = row.etag`;
  return [
    `local rows, create, n = {}, nil, os.time() % 100000 * 1000000`,
    `function request()`,
    `  local row = table.remove(rows)`,
    `  if row == nil then create = create or wrk.format() return create end`,
    `  n = n + 1`,
    `  local body = ${body === undefined ? "nil" : `(${JSON.stringify(body)}):gsub("$N", tostring(n))`}`,
    `  local own = { ["accept"] = "application/json"${headers} }`,
    `  return wrk.format("${method}", "${path}/" .. row.id, own, body or "")`,
    `end`,
    `function response(status, headers, body)`,
    // A response to DELETE contains the deleted row.
    `  local id = ${method === "DELETE" ? "status == 201 and " : ""}body:match('"id":"([^"]+)"')`,
    `  if id then rows[#rows + 1] = { id = id, etag = headers["etag"] or headers["ETag"] or headers["Etag"] } end`,
    `end`,
  ];
}

/** The request as a Lua script for wrk. */
function scriptOf({ method, headers, body }: Asked, { path, follow }: Work): string {
  const lines = [
    `wrk.method = "${method}"`,
    ...Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = ${JSON.stringify(value)}`),
    ...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`]),
  ];
  if (follow !== undefined) lines.push(...followScript(follow, path));
  else if (`${path} ${body} ${Object.values(headers).join(" ")}`.includes("$N")) {
    lines.push(
      `local path, body, n = ${JSON.stringify(path)}, wrk.body, os.time() % 100000 * 1000000`,
      `local function put(text, number) return text and (text:gsub("$N", tostring(number))) end`,
      `local templates, headers = {}, {}`,
      `for name, value in pairs(wrk.headers) do headers[name] = value if value:find("$N") then templates[name] = value end end`,
      `function request()`,
      `  n = n + 1`,
      `  for name, value in pairs(templates) do headers[name] = put(value, n) end`,
      `  return wrk.format(nil, put(path, n * 7919 % ${IDS} + 1), headers, put(body, n))`,
      `end`,
    );
  }
  return lines.join("\n");
}

export interface Sample {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of processor time that the server used per request. */
  readonly cost: number;
  readonly requests: number;
  /** Microseconds of processor time that the database used per request. 0 if it isn't measured. */
  readonly databaseCost: number;
}

/**
 * Runs wrk for the given seconds on the last core, which the server doesn't use. Throws if any response is an error.
 */
export async function measure(contender: Contender, work: Work, seconds: number): Promise<Sample> {
  const script = join(folder, "request.lua");
  writeFileSync(script, scriptOf(await requestOf(contender, work), work));
  const databaseUsed = async (): Promise<number> => (await work.databaseUsed?.(contender.pid)) ?? 0;
  const [before, databaseBefore] = [await contender.used(), await databaseUsed()];
  const wrk = ["wrk", "-t1", `-c${work.connections ?? CONNECTIONS}`, `-d${seconds}s`, "--timeout=30s", "-s", script];
  const core = String(cpus().length - 1);
  const { stdout } = await run("taskset", ["-c", core, ...wrk, contender.url + work.path]);
  const [, total, duration] = /(\d+) requests in ([\d.]+m?s)/.exec(stdout) ?? [];
  const problem = /Socket errors.*|Non-2xx.*/.exec(stdout);
  if (total === undefined || duration === undefined || problem !== null)
    throw new Error(`${contender.name}, ${work.name}: ${problem?.[0] ?? stdout}`);
  const [, rate = ""] = /Requests\/sec: +([\d.]+)/.exec(stdout) ?? [];
  const [after, databaseAfter] = [await contender.used(), await databaseUsed()];
  if (work.databaseUsed !== undefined) await untilIdle(databaseUsed);
  const requests = Number(total);
  return {
    rate: Number(rate),
    cost: (after - before) / requests,
    databaseCost: (databaseAfter - databaseBefore) / requests,
    requests,
  };
}

/** In milliseconds. A server may do some of its work a second after a response. */
const [LATER, INTERVAL] = [1_200, 200];
/** Microseconds that an idle database uses in an interval. */
const IDLE = 2_000;

/** Waits until a database is idle, at most for 10 seconds. Otherwise it would delay the next contender. */
async function untilIdle(used: () => Promise<number>): Promise<void> {
  await setTimeout(LATER);
  let before = await used();
  for (let tries = 0; tries < 50; tries++) {
    await setTimeout(INTERVAL);
    const now = await used();
    if (now - before < IDLE) return;
    before = now;
  }
}

/**
 * Throws before the load starts if contenders respond differently, or accept a request that the work expects to be
 * rejected.
 */
export async function checkAnswers(contenders: readonly Contender[], work: Work): Promise<void> {
  if (work.listed !== undefined) for (const { url } of contenders) await (await fetch(url + work.listed)).arrayBuffer();
  const expected = await answerOf(contenders.at(-1) as Contender, work);
  for (const contender of contenders) {
    deepStrictEqual(await answerOf(contender, work), expected, contender.name);
    await checkRefusals(contender, work);
    if (work.follow !== undefined) await checkFollow(contender, work, work.follow);
  }
}

/** Updates and deletes a row, which must fail with an outdated `ETag`, and without a row. */
async function checkFollow(contender: Contender, work: Work, { method, body }: Follow): Promise<void> {
  const created = await fetch(contender.url + work.path, await requestOf(contender, work));
  const { id } = (await created.json()) as { id: string };
  const etag = created.headers.get("etag") ?? "";
  const send = async (etag: string): Promise<number> => {
    const headers = body === undefined ? {} : { "content-type": "application/json", "if-match": etag };
    const init = body === undefined ? { method, headers } : { method, headers, body: body.replace("$N", "4711") };
    return (await fetch(`${contender.url}${work.path}/${id}`, init)).status;
  };
  const found = [await send(etag), await send(etag)];
  deepStrictEqual(found, method === "PATCH" ? [200, 412] : [200, 404], `${contender.name}, ${work.name}`);
}

async function checkRefusals(contender: Contender, work: Work): Promise<void> {
  for (const body of work.refused ?? []) {
    const response = await fetch(contender.url + work.path, { ...(await requestOf(contender, work)), body });
    if (work.path !== "/graphql") {
      if (response.status < 400 || response.status > 499)
        throw new Error(`${contender.name}, ${work.name}: takes ${body}`);
      continue;
    }
    const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
    const hasData = data !== undefined && data !== null && Object.values(data).some((value) => value !== null);
    if (hasData || !Array.isArray(errors)) throw new Error(`${contender.name}, ${work.name}: takes ${body}`);
  }
}

async function answerOf(contender: Contender, work: Work): Promise<unknown> {
  const { body, ...request } = await requestOf(contender, work);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, value.replace("$N", "0")]),
  );
  const sent = body === undefined ? { ...request, headers } : { ...request, headers, body: body.replaceAll("$N", "0") };
  const response = await fetch(contender.url + work.path.replaceAll("$N", "4711"), sent);
  if (response.status !== (work.status ?? 200))
    throw new Error(`${contender.name}, ${work.name}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return work.pick((text === "" ? null : JSON.parse(text)) as never);
}
