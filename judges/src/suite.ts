import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sent } from "./requests.ts";

interface Exchange extends Sent {
  readonly answered: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  };
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** OpenAPI 3.1 cannot describe other methods, or responses for unknown paths and methods. */
const DESCRIBED = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const TAG = "x-exchange";

/** Runs the suite of the bookstore and returns each distinct request with its response. */
export function suiteExchanges(): readonly Exchange[] {
  const file = join(mkdtempSync(join(tmpdir(), "suite-")), "exchanges.jsonl");
  const env = { ...process.env, BOOKSTORE_RECORD: file };
  const vitest = join(ROOT, "node_modules", ".bin", "vitest");
  const run = spawnSync(vitest, ["run", "tests/bookstore/rest-"], { cwd: ROOT, env, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`The suite fails:\n${run.stdout}`);
  const lines = new Set(readFileSync(file, "utf8").trim().split("\n"));
  return [...lines].map((line) => JSON.parse(line) as Exchange).filter(isDescribed);
}

function isDescribed({ method, path, answered }: Exchange): boolean {
  const { status, headers, text } = answered;
  const isNowhere = status === 405 || text.includes("Nothing exists at this path.");
  // Prism treats every type with the suffix +json like the first JSON type in the document, and doesn't support
  // optional content.
  const isForm = status < 300 && (headers["content-type"] ?? "").includes("+json");
  const isUnknown = isForm || (status === 201 && text === "");
  return DESCRIBED.has(method) && !path.startsWith("/graphql") && !isNowhere && !isUnknown;
}

export interface Replay {
  readonly url: string;
  /** Requests that get their recorded response, whatever their bodies are. */
  readonly requests: readonly Sent[];
  readonly close: () => void;
}

/** A server that returns the recorded responses of the suite. */
export async function startReplay(exchanges: readonly Exchange[]): Promise<Replay> {
  const server = createServer((request, response) => {
    const exchange = exchanges[Number(request.headers[TAG] ?? -1)];
    if (exchange === undefined) return void response.writeHead(404).end();
    const { status, headers, text } = exchange.answered;
    const own = Object.entries(headers).filter(
      ([name]) => !/^(connection|keep-alive|transfer-encoding|content-length)$/.test(name),
    );
    return void response.writeHead(status, Object.fromEntries(own)).end(status === 304 ? undefined : text);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const requests = exchanges.map(({ method, path, headers }, index): Sent => {
    const accept = headers["accept"] ?? "*/*";
    return { method, path, headers: { accept, [TAG]: String(index) } };
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => server.close(),
  };
}
