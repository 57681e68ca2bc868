import { spawn } from "node:child_process";
import { answers, freePort } from "./bookstore.ts";
import { bin, type Judge } from "./judge.ts";
import { REQUESTS, type Sent } from "./requests.ts";
import { startReplay, suiteExchanges } from "./suite.ts";

/** Prism is a proxy between a client and a server. It checks each response against the document. */
async function violationsOf(
  requests: readonly Sent[],
  server: string,
  folder: string,
  file = "openapi-all.json",
): Promise<readonly string[]> {
  const port = await freePort();
  const own = ["--errors", "--validate-request=false", "--host", "127.0.0.1", "--port", String(port)];
  const child = spawn(bin("prism"), ["proxy", file, server, ...own], { cwd: folder, stdio: "ignore" });
  try {
    const proxy = `http://127.0.0.1:${port}`;
    await answers(proxy, child);
    const violations: string[] = [];
    for (const { method, path, headers, body } of requests) {
      const sent = { method, headers, redirect: "manual" as const, ...(body === undefined ? {} : { body }) };
      const response = await fetch(proxy + path, sent);
      const text = await response.text();
      const said = response.headers.get("sl-violations");
      if (said !== null || (response.status === 500 && text.includes("stoplight.io"))) {
        violations.push(`${method} ${path} ${JSON.stringify(headers)}\n  ${said ?? text}`);
      }
    }
    return violations;
  } finally {
    child.kill();
  }
}

export const prism: Judge = {
  name: "Prism, as a validating proxy, finds no violation in any response",
  async run({ url, folder }) {
    const violations = await violationsOf(REQUESTS, url, folder);
    if (violations.length > 0) throw new Error(violations.join("\n"));
  },
};

/**
 * Whether the document of JSON describes a request: neither a format, nor a part of a row, nor several rows. The replay of
 * a create whose row was deleted since has no content.
 */
function isInJson({ method, path, headers, body }: Sent): boolean {
  const isForm = /[?&]fields=/.test(path) || path.includes("/relationships/");
  const isFormat = headers["accept"] !== undefined && !headers["accept"].startsWith("application/json");
  const isType = method === "PATCH" && headers["content-type"] !== "application/json";
  const isOther = isType || headers["content-type"]?.includes("vnd.api") === true || headers["prefer"] !== undefined;
  const isReplay = headers["idempotency-key"] !== undefined;
  return !isForm && !isFormat && !isOther && !isReplay && body?.startsWith("[") !== true;
}

export const prismJson: Judge = {
  name: "Prism, as a validating proxy, finds no violation of the document of JSON",
  async run({ url, folder }) {
    const requests = REQUESTS.filter(isInJson);
    if (requests.length < 35) throw new Error(`Only ${requests.length} requests are in JSON.`);
    const violations = await violationsOf(requests, url, folder, "openapi.json");
    if (violations.length > 0) throw new Error(violations.join("\n"));
  },
};

/**
 * Sends the recorded responses of the bookstore's suite, from every adapter, through Prism. The suite itself cannot
 * run through Prism, because Prism parses bodies and rejects methods that OpenAPI 3.1 cannot describe.
 */
export const prismOverSuite: Judge = {
  name: "Prism, as a validating proxy, finds no violation in the responses of the whole suite",
  async run({ folder }) {
    const exchanges = suiteExchanges();
    if (exchanges.length < 100) throw new Error(`The suite wrote down ${exchanges.length} exchanges only.`);
    const replay = await startReplay(exchanges);
    try {
      const violations = await violationsOf(replay.requests, replay.url, folder);
      if (violations.length > 0) throw new Error(violations.join("\n"));
    } finally {
      replay.close();
    }
  },
};
