import { once } from "node:events";
import { connect } from "node:net";

/** A server that carries messages between instances, for a test. */
export interface TestBroker {
  readonly name: "postgres" | "redis" | "nats";
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Why its tests are skipped. Undefined in CI, where a missing server fails its tests. */
  readonly missing: string | undefined;
}

async function brokerOf(name: TestBroker["name"], url: string): Promise<TestBroker> {
  const { hostname: host, port } = new URL(url);
  const broker = { name, url, host, port: Number(port) };
  const socket = connect({ host, port: Number(port) });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(10_000) });
    return { ...broker, missing: undefined };
  } catch (cause) {
    const missing = `There is no ${name} at ${url}: ${String(cause)}`;
    if (process.env["CI"]) throw new Error(missing, { cause });
    return { ...broker, missing };
  } finally {
    socket.destroy();
  }
}

export const brokers: readonly TestBroker[] = await Promise.all([
  brokerOf("postgres", process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres"),
  brokerOf("redis", process.env["TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379"),
  brokerOf("nats", process.env["TEST_NATS_URL"] ?? "nats://127.0.0.1:4222"),
]);
