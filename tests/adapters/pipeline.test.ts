import { allow, deny, defineApi, defineResource, memoryStore, type RateLimiter, type Telemetry } from "@bifocal/core";
import type { Allowance } from "@bifocal/core/operation";
import { nodeHttp } from "@bifocal/node-http";
import { graphql } from "graphql";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { z } from "zod";
import { DOORS } from "../security/auth/doors.ts";

const caller = defineResource("caller", {
  fields: { id: z.int32(), name: z.string() },
  access: { read: allow, create: deny, update: deny, delete: deny },
});

const pass = <T>(_activity: unknown, work: () => T): T => work();

/** An API that records the stages of its operations. */
async function start() {
  const passed: string[] = [];
  const telemetry: Telemetry = {
    request: pass,
    authentication: (work) => work(),
    document: pass,
    operation: (_activity, work) => {
      passed.push("telemetry");
      return work();
    },
    storeCall: pass,
    subscription: () => ({ delivered: () => {}, end: () => {} }),
    delivery: pass,
  };
  const rateLimit: RateLimiter = {
    take(_spender, cost): Promise<Allowance> | undefined {
      passed.push(`charge ${cost}`);
      return undefined;
    },
  };
  const store = memoryStore({ data: { caller: [{ id: 1, name: "somebody" }] } });
  const api = defineApi({ resources: [caller], store, telemetry, rateLimit });
  api.observe(({ kind }) => passed.push(`observe ${kind}`));
  await api.ready;
  const server = createServer();
  const listener = nodeHttp(api);
  server.on("request", listener);
  listener.attach(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { api, passed, url, close: () => listener.close(server) };
}

type Started = Awaited<ReturnType<typeof start>>;

const QUERY = "{ callers { nodes { name } } }";
const LOCAL: Readonly<Record<string, (started: Started) => Promise<unknown>>> = {
  "a local call": ({ api }) => api.local.caller.list({}),
  "a local call on somebody's behalf": ({ api }) => api.as({ id: "ann" }).caller.list({}),
  "a transaction": ({ api }) => api.transaction((local) => local.caller.list({})),
  "a transaction on somebody's behalf": ({ api }) => api.transaction((_local, as) => as({ id: "ann" }).caller.list({})),
  "another GraphQL server": ({ api }) =>
    graphql({ schema: api.graphql.schema, source: QUERY, contextValue: api.graphql.context(null) }),
  "a front end of the application's own": async ({ api }) =>
    api.run(
      {
        kind: "list",
        resource: "caller",
        sort: [],
        page: { size: 20 },
        selection: { fields: ["name"], relations: [] },
      },
      { principal: null, signal: undefined, requestId: () => "1" },
    ),
};
const REMOTE = Object.entries(DOORS).map(([name, ask]) => [name, ({ url }: Started) => ask(url, {})] as const);

test.each([...Object.entries(LOCAL), ...REMOTE])("%s passes each stage once, in order", async (name, ask) => {
  const started = await start();
  // Opening a WebSocket costs points too.
  const opening = name.startsWith("WebSocket") ? ["charge"] : [];
  try {
    await ask(started);
    expect(started.passed.map((stage) => stage.replace(/ .*/, ""))).toEqual([
      ...opening,
      "observe",
      "telemetry",
      "charge",
    ]);
  } finally {
    await started.close();
  }
});

test.each(Object.entries(LOCAL))("%s is rejected after the API has closed", async (_name, ask) => {
  const started = await start();
  await started.close();
  const outcome = await ask(started).then(
    (result) => JSON.stringify(result, (_key, value: unknown) => (value instanceof Error ? value.message : value)),
    (thrown: unknown) => String(thrown),
  );
  expect(outcome).toContain("shutting down");
  expect(started.passed).toEqual([]);
});
