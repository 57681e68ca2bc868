import type { GraphqlSettings, Row } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { describe, expect, test } from "vitest";
import { ADAPTERS, createDoors, type Doors, type Reply, type Served } from "./doors.ts";
import { createOrgs, type Orgs, rows } from "./orgs.ts";

export interface Place extends Doors {
  readonly orgs: Orgs;
}

/** A case of the catalog, by its stable id. If a version of Bifocal has nothing to attack, the case shows that. */
export interface Case {
  readonly id: string;
  readonly title: string;
  readonly graphql?: GraphqlSettings;
  readonly run: (place: Place) => Promise<void>;
}

/** Every adapter over memory, and one over SQL. */
const PLACES = [
  ...Object.keys(ADAPTERS).map((adapter) => ({ adapter, kept: "memory" as const })),
  { adapter: "node-http", kept: "SQLite" as const },
];

/** Creates the schema of the catalog with its rows, on a store. */
export async function createOrgsOn(kept: "memory" | "SQLite", graphql: GraphqlSettings): Promise<Orgs> {
  if (kept === "memory") return createOrgs({ graphql });
  const store = sqlStore({ url: ":memory:" });
  const orgs = createOrgs({ store, graphql });
  await orgs.api.ready;
  for (const [name, all] of Object.entries(rows())) {
    const resource = orgs.api.model.resources.get(name);
    if (resource === undefined) throw new Error(`There is no ${name}.`);
    await store.insert({ resource, rows: all as unknown as readonly Row[] }, { signal: undefined });
  }
  orgs.calls.length = 0;
  return orgs;
}

/**
 * Runs cases on each adapter over real HTTP. After each case, the server must respond as before, and prototypes must
 * be unchanged.
 */
export function runCases(name: string, cases: readonly Case[]): void {
  describe.each(PLACES)(`${name}, on $adapter over $kept`, ({ adapter, kept }) => {
    const serve = ADAPTERS[adapter] as (api: Orgs["api"]) => Promise<Served>;
    test.each(cases.map((one) => [one.id, one.title, one] as const))(
      "%s: %s",
      async (_id, _title, { run, graphql = {} }) => {
        expect.hasAssertions();
        const orgs = await createOrgsOn(kept, graphql);
        const served = await serve(orgs.api);
        const doors = createDoors(served);
        try {
          await run({ ...doors, orgs });
          await expectHealthy(doors);
        } finally {
          await served.close();
        }
      },
    );
  });
}

/** Checks that the server still responds and that prototypes are unchanged. */
export async function expectHealthy({ rest }: Doors): Promise<void> {
  const { status, json } = await rest("bob", "GET", "/orgs");
  expect([status, json]).toEqual([200, [{ id: "b", name: "Org B" }]]);
  expectCleanPrototypes();
}

/** No input has reached a prototype. */
export function expectCleanPrototypes(): void {
  const fresh: Record<string, unknown> = {};
  expect([fresh["role"], fresh["polluted"], fresh["x"], Object.keys(Object.prototype)]).toEqual([
    undefined,
    undefined,
    undefined,
    [],
  ]);
}

/** The parts of a response that an attacker can compare: all but the time and the names that it sent itself. */
export function bytes({ status, headers, text }: Reply, ...own: readonly string[]): unknown {
  const { date: _, ...rest } = headers;
  const hide = (value: string): string => own.reduce((shown, name) => shown.replaceAll(name, "…"), value);
  const lengthless = Object.entries(rest).filter(([name]) => name !== "content-length");
  return {
    status,
    headers: Object.fromEntries(lengthless.map(([name, value]) => [name, hide(value)])),
    text: hide(text),
  };
}

/** The code of a problem or of the first GraphQL error. */
export function codeOf({ json }: Reply): unknown {
  const { code, errors } = json as { code?: string; errors?: readonly { extensions?: { code?: string } }[] };
  return code ?? errors?.[0]?.extensions?.code;
}

/**
 * Waits until sent messages have been handled: by turns of the event loop that client and server share, however long
 * they take.
 */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setTimeout(resolve, 3));
}

/** A Relay id: base64url of type and id. */
export function globalId(text: string): string {
  return Buffer.from(text).toString("base64url");
}
