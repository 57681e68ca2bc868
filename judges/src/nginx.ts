import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADMIN, answers, freePort } from "./bookstore.ts";
import type { Judge } from "./judge.ts";
import { Skipped } from "./skipped.ts";

const BOOK = "/books/b0000000-0000-4000-8000-000000000001";
const PATHS = [
  "/tags",
  "/tags?page[size]=1",
  "/tags/classic",
  "/books?page[size]=3",
  BOOK,
  "/authors",
  "/users",
  "/books/none",
];
const FORMATS = ["application/json", "application/hal+json", "text/csv", "text/html"];
const INVALID = "an invalid key";
const CALLERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  admin: { authorization: `Bearer ${ADMIN}` },
  anonymous: {},
  "admin by another header": { "x-api-key": ADMIN },
  [INVALID]: { authorization: "Bearer wrong" },
};

const configOf = (port: number, origin: string, folder: string): string => `
${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=shared:10m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${origin};
      proxy_set_header Host $http_host;
      proxy_cache shared;
      add_header X-Cache $upstream_cache_status always;
    }
  }
}
`;

interface Answered {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  readonly cache: string | null;
}

async function ask(base: string, path: string, headers: Record<string, string>): Promise<Answered> {
  const response = await fetch(base + path, { headers });
  const text = (await response.text()).replaceAll(/"requestId":"[^"]*"/g, "");
  const { status } = response;
  return { status, type: response.headers.get("content-type"), text, cache: response.headers.get("x-cache") };
}

/** Each caller asks for each variant several times, in turns, through one cache. */
export const nginx: Judge = {
  name: "nginx, as a shared cache, gives no caller the response of another one, nor another format",
  async run({ url }) {
    if (spawnSync("nginx", ["-v"]).status !== 0) {
      const { error, status, stderr } = spawnSync("apt-get", ["install", "-y", "-qq", "nginx-light"], {
        encoding: "utf8",
      });
      if (error !== undefined || status !== 0)
        throw new Skipped(`nginx isn't installed: ${error?.message ?? stderr.trim().split("\n").at(-1) ?? ""}`);
    }
    const folder = mkdtempSync(join(tmpdir(), "nginx-"));
    const port = await freePort();
    writeFileSync(join(folder, "nginx.conf"), configOf(port, url, folder));
    const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const base = `http://127.0.0.1:${port}`;
    let requests = 0;
    let hits = 0;
    try {
      await answers(base, child);
      for (let round = 0; round < 3; round++) {
        for (const path of PATHS) {
          for (const accept of FORMATS) {
            for (const [caller, headers] of Object.entries(CALLERS)) {
              // A public response is for everyone, so a cache may give it to a caller whose key is invalid.
              if (caller === INVALID && path.startsWith("/tags")) continue;
              const sent = { ...headers, accept };
              const { cache, ...got } = await ask(base, path, sent);
              const { cache: _, ...expected } = await ask(url, path, sent);
              assert.deepEqual(got, expected, `${path} as ${accept} for ${caller} (${cache})`);
              requests++;
              if (cache !== "HIT") continue;
              hits++;
              assert.ok(path.startsWith("/tags"), `${path} isn't public, but came from the cache`);
            }
          }
        }
      }
    } finally {
      child.kill();
    }
    assert.ok(hits > 10, `Only ${hits} of ${requests} responses came from the cache.`);
    console.log(`      ${requests} requests, ${hits} from the cache`);
  },
};
