import { spawn } from "node:child_process";
import { answers, freePort } from "./bookstore.ts";
import { bin, type Judge } from "./judge.ts";
import { REQUESTS, type Sent } from "./requests.ts";
import { startReplay, suiteExchanges } from "./suite.ts";

/** Prism is a proxy between a client and a server. It checks each response against the document. */
async function violationsOf(requests: readonly Sent[], server: string, folder: string): Promise<readonly string[]> {
  const port = await freePort();
  const own = ["--errors", "--validate-request=false", "--host", "127.0.0.1", "--port", String(port)];
  const child = spawn(bin("prism"), ["proxy", "openapi.json", server, ...own], { cwd: folder, stdio: "ignore" });
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
