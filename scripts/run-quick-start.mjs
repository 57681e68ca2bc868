// Runs each command of the README's quick start in an empty folder, with packed packages in place of published ones.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** Fails unless each command succeeds and each response is a success. `tarballOf` finds the file of `core`, for example. */
export async function runQuickStart({ folder, tarballOf }) {
  const [install, start, requests] = blocksOf("sh");
  const [program] = blocksOf("ts");
  mkdirSync(folder);
  sh(
    install.replaceAll(/@bifocal\/([\w-]+)/g, (_, name) => `file:${tarballOf(name)}`),
    folder,
  );
  const project = join(folder, "books");
  writeFileSync(join(project, "main.ts"), program);
  const port = await freePort();
  const server = spawn("sh", ["-c", `exec ${start}`], {
    cwd: project,
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await Promise.race([
      once(server.stdout, "data"),
      once(server, "exit").then(() => Promise.reject(new Error(start))),
    ]);
    for (const request of requests.trim().split("\n")) {
      sh(`${request.replace(":3000", `:${port}`)} --silent --show-error --fail-with-body`, project);
    }
  } finally {
    server.kill();
  }
}

/** Returns the blocks of the quick start in one language. */
function blocksOf(language) {
  const [section] = readme.slice(readme.indexOf("## Quick start") + 3).split("\n## ", 1);
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , text]) => text);
}

function sh(commands, cwd) {
  execFileSync("sh", ["-e", "-c", commands], { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
