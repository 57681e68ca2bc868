import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOrgsOn, expectHealthy, type Place as Doors } from "../access/case.ts";
import { ADAPTERS, createDoors, type Served } from "../access/doors.ts";
import type { Orgs } from "../access/orgs.ts";
import { exchange, type Exchange, request } from "./raw.ts";

/** An API with the catalog's schema over real HTTP, and the ways to call it. */
export interface Place extends Doors {
  readonly adapter: string;
  readonly kept: Kept;
  /** Sends bytes unchanged. Paths begin with `/api`. */
  readonly raw: (
    line: string,
    headers?: readonly string[],
    body?: string,
    options?: Parameters<typeof exchange>[2],
  ) => Promise<Exchange>;
  readonly port: number;
}

/** A case of the catalog by its stable id. It must leave the rows unchanged, except for rows with its own name. */
export interface Case {
  readonly id: string;
  readonly title: string;
  readonly run: (place: Place) => Promise<void>;
}

type Kept = "memory" | "SQLite";

const EVERY_ADAPTER: readonly Kind[] = Object.keys(ADAPTERS).map((adapter) => ({ adapter, kept: "memory" }));

interface Kind {
  readonly adapter: string;
  readonly kept: Kept;
}

/**
 * Runs cases on each adapter. After each case, the server must respond, prototypes must be unchanged, no internal
 * error may be logged, and every call to the store must have settled.
 */
export function runCatalogue(
  name: string,
  cases: readonly Case[],
  { withSql = false, serve }: { readonly withSql?: boolean; readonly serve?: Serve } = {},
): void {
  const kinds = withSql ? [...EVERY_ADAPTER, { adapter: "node-http", kept: "SQLite" as const }] : EVERY_ADAPTER;
  describe.each(kinds)(`${name}, on $adapter over $kept`, ({ adapter, kept }) => {
    let place: Place;
    let served: Served;
    beforeAll(async () => {
      const orgs = await createOrgsOn(kept, {});
      const start = serve ?? ADAPTERS[adapter];
      if (start === undefined) throw new Error(`There is no adapter '${adapter}'.`);
      served = await start(orgs.api, adapter);
      const port = Number(new URL(served.url).port);
      const raw: Place["raw"] = (line, headers, body, options) => exchange(port, request(line, headers, body), options);
      place = { ...createDoors(served), orgs, adapter, kept, raw, port };
    });
    afterAll(() => served.close());
    afterEach(async () => {
      await expectHealthy(place);
      expect(place.orgs.entries.filter(({ level }) => level === "error")).toEqual([]);
    });

    test.each(cases.map((one) => [one.id, one.title, one] as const))("%s: %s", async (_id, _title, { run }) => {
      expect.hasAssertions();
      place.orgs.calls.length = 0;
      await run(place);
    });
  });
}

type Serve = (api: Orgs["api"], adapter: string) => Promise<Served>;
