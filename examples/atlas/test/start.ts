import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export interface Running {
  readonly url: string;
  /** The text that it prints when it is ready. */
  readonly banner: string;
  readonly stop: () => Promise<void>;
}

/** Starts it like `npm start`, and waits until it prints its URL. */
export async function start(database: string): Promise<Running> {
  const atlas = spawn(process.execPath, ["--conditions=@bifocal/source", "src/main.ts"], {
    cwd: root,
    env: { ...process.env, PORT: "0", DATABASE_URL: database },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let banner = "";
  atlas.stdout.on("data", (chunk: Buffer) => (banner += chunk.toString()));
  while (!banner.includes("GraphQL at")) {
    if (atlas.exitCode !== null) throw new Error("The atlas did not start.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: /http:\/\/[\d.:]+/.exec(banner)?.[0] ?? "",
    banner,
    async stop() {
      atlas.kill("SIGTERM");
      await once(atlas, "exit");
    },
  };
}
