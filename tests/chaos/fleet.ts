import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Several instances of an API behind a proxy. */
export interface Fleet {
  /** The URL of the proxy, which distributes connections to the running instances in turn. */
  readonly url: string;
  /** The URL of one instance, without the proxy. */
  readonly urlOf: (instance: number) => string;
  /** By `kill -9`. */
  readonly kill: (instance: number) => Promise<void>;
  readonly start: (instance: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

export async function startFleet(size: number, env: Readonly<Record<string, string>>): Promise<Fleet> {
  const running = new Map<number, Running>();
  const sockets = new Set<Socket>();
  let turn = 0;

  const balancer = createServer((client) => {
    const targets = [...running.values()];
    const target = targets[turn++ % Math.max(1, targets.length)];
    if (target === undefined) {
      client.destroy();
      return;
    }
    const server = connect({ host: "127.0.0.1", port: target.port });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  balancer.listen(0, "127.0.0.1");
  await once(balancer, "listening");

  async function start(instance: number): Promise<void> {
    const child = fork(`${import.meta.dirname}/instance.ts`, {
      execArgv: ["--conditions=@bifocal/source"],
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const port = await new Promise<number>((resolve, reject) => {
      child.once("message", (message) => resolve(Number(message)));
      child.once("exit", (code) => reject(new Error(`Instance ${instance} ended with ${code} before it served.`)));
    });
    running.set(instance, { child, port });
  }

  async function kill(instance: number): Promise<void> {
    const one = running.get(instance);
    if (one === undefined) return;
    running.delete(instance);
    const ended = once(one.child, "exit");
    one.child.kill("SIGKILL");
    await ended;
  }

  await Promise.all(Array.from({ length: size }, (_, instance) => start(instance)));
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    urlOf: (instance) => `http://127.0.0.1:${running.get(instance)?.port}`,
    kill,
    start,
    async stop() {
      for (const instance of running.keys()) await kill(instance);
      for (const socket of sockets) socket.destroy();
      balancer.close();
    },
  };
}
