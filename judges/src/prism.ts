import { spawn } from "node:child_process";
import { answers, freePort } from "./bookstore.ts";
import { bin, type Judge } from "./judge.ts";
import { REQUESTS } from "./requests.ts";

/** Prism stands between and says of each answer whether the document describes it. */
export const prism: Judge = {
  name: "Prism, as a validating proxy, finds no violation in any answer",
  async run({ url, folder }) {
    const port = await freePort();
    const args = [
      "proxy",
      "openapi.json",
      url,
      "--errors",
      "--validate-request=false",
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
    ];
    const child = spawn(bin("prism"), args, { cwd: folder, stdio: "ignore" });
    try {
      const proxy = `http://127.0.0.1:${port}`;
      await answers(proxy, child);
      const violations: string[] = [];
      for (const { method, path, headers, body } of REQUESTS) {
        const response = await fetch(proxy + path, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          redirect: "manual",
        });
        const text = await response.text();
        const said = response.headers.get("sl-violations");
        if (said !== null || (response.status === 500 && text.includes("VIOLATIONS"))) {
          violations.push(`${method} ${path} ${JSON.stringify(headers)}\n  ${said ?? text}`);
        }
      }
      if (violations.length > 0) throw new Error(violations.join("\n"));
    } finally {
      child.kill();
    }
  },
};
