// On PostgreSQL, with 10,000 authors and 100,000 books. SLOW=2 adds 2 milliseconds to each round trip to the
// database.
import { fork } from "node:child_process";
import { once } from "node:events";
import { compareAll } from "../compare.ts";
import { prepareDatabase, url } from "./database.ts";
import { sqlWorks } from "./works.ts";

await prepareDatabase();
const slow = Number(process.env["SLOW"] ?? 0);
if (slow > 0) {
  const { hostname, port } = new URL(url);
  const proxy = fork(new URL("slow-proxy.ts", import.meta.url), [hostname, port || "5432", String(slow / 2)]);
  const [own] = (await once(proxy, "message")) as [number];
  const through = new URL(url);
  through.port = String(own);
  // The contenders inherit the environment of this process.
  process.env["BENCH_DATABASE_URL"] = through.href;
  process.on("exit", () => proxy.kill());
}
await compareAll(sqlWorks);
