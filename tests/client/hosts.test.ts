import { type RunningBookstore, startBookstore } from "@bifocal/example-bookstore/start";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MISSING } from "../runtimes/host.ts";
import { KEYS } from "./bookstores.ts";
import { EXPECTED } from "./hosts/expected.ts";
import { CLIENT_HOSTS } from "./hosts/run-scenario.ts";

let store: RunningBookstore;
beforeAll(async () => {
  store = await startBookstore({ adapter: "node-http", port: 0, keys: KEYS });
});
afterAll(() => store?.close());

describe.each(CLIENT_HOSTS)("the client in %s", (name, run) => {
  const isMissing = name !== "Node" && MISSING !== undefined;
  test.skipIf(isMissing).each(["rest", "graphql"] as const)(
    "reads, writes, fails, aborts and watches over %s",
    {
      timeout: 60_000,
    },
    async (lens) => {
      expect(await run({ url: store.url, lens, key: KEYS.admin })).toEqual(EXPECTED);
    },
  );
});
