import { memoryStore } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { servers } from "@bifocal/test-servers";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KINDS, type Kind } from "../stores.ts";
import { type Result, sendGraphql, sendRest, withoutTimes } from "./send-step.ts";
import { type Step, stepsOf } from "./step.ts";
import { createWorldApi, type World, type WorldApi, worlds } from "./world.ts";

/** Sequences of writes and reads in all stores together. */
const RUNS = Number(process.env["EQUIVALENCE_RUNS"] ?? 100);
const SEQUENCES = 6;
const mysql = servers.find(({ name }) => name === "mysql");

/** Without the events of MySQL, which the other SQL stores cover. */
const STORES: readonly Kind[] = [
  ...KINDS,
  {
    name: "MySQL",
    missing: mysql?.missing,
    share: 0.1,
    async create() {
      const database = await (mysql as NonNullable<typeof mysql>).create();
      const store = sqlStore({ url: database.url, autoCreate: true, max: 4 });
      return { store, bus: undefined, changes: () => Promise.resolve([]), drop: database.drop };
    },
  },
];

const all = { softDelete: true, tenant: true, history: true, stamped: true };
/** Comes before the random worlds. */
const EVERYTHING: World = { author: all, book: all, onDelete: "cascade" };

/** Successful steps that show a feature. */
type Counts = Record<"deleted" | "restored" | "kept" | "entries" | "tenants" | "rejected" | "stamped", number>;

function count(counts: Counts, world: World, { kind, resource, deleted, who }: Step, { code, data }: Result): void {
  const { softDelete, tenant, stamped } = world[resource];
  if (code !== undefined) {
    if (tenant && (code === "NOT_FOUND" || who === "lost")) counts.rejected++;
    return;
  }
  const text = JSON.stringify(data);
  if (softDelete && (kind === "delete" || kind === "deleteMany")) counts.deleted++;
  if (kind === "restore") counts.restored++;
  if (kind === "list" && deleted !== undefined && text.includes('"deletedAt":"')) counts.kept++;
  if (text.includes('"changes":[{')) counts.entries++;
  if (tenant) counts.tenants++;
  if (stamped && /"createdBy":"\w+","updatedBy":"/.test(text)) counts.stamped++;
}

describe.each(STORES)("on $name", ({ missing, share, create }) => {
  test.skipIf(missing !== undefined)(
    "worlds with soft delete, tenants, history and traits return the same in both styles and in memory",
    async () => {
      const counts: Counts = { deleted: 0, restored: 0, kept: 0, entries: 0, tenants: 0, rejected: 0, stamped: 0 };
      const seed = drawSeed("EQUIVALENCE_SEED");
      const numRuns = Math.max(4, Math.ceil((RUNS * share) / SEQUENCES));
      for (const world of [EVERYTHING, ...fc.sample(worlds, { numRuns, seed })]) {
        const recorded = [await create(), await create()] as const;
        const apis: readonly [WorldApi, WorldApi, WorldApi] = [
          createWorldApi(world, recorded[0].store, recorded[0].bus),
          createWorldApi(world, recorded[1].store, recorded[1].bus),
          createWorldApi(world, memoryStore(), undefined),
        ];
        const property = fc.asyncProperty(stepsOf(world), async (steps) => {
          const base = { ...apis[0].last };
          for (const { changes } of recorded) await changes();
          for (const step of steps) {
            const rest = withoutTimes(await sendRest(apis[0], world, base, step));
            const graphql = withoutTimes(await sendGraphql(apis[1], world, base, step));
            const memory = withoutTimes(await sendRest(apis[2], world, base, step));
            expect({ step, ...memory }).toEqual({ step, ...rest });
            const missed = step.kind === "get" && rest.code === "NOT_FOUND" ? { code: rest.code } : rest;
            expect({ step, ...graphql }).toEqual({ step, ...missed });
            const [ofRest, ofGraphql] = [await recorded[0].changes(), await recorded[1].changes()].map(stable);
            expect({ step, changes: ofGraphql }).toEqual({ step, changes: ofRest });
            alignIds(apis);
            count(counts, world, step, rest);
          }
        });
        try {
          // A smaller sequence would depend on the rows of the earlier ones.
          await fc.assert(property, { numRuns: SEQUENCES, seed, endOnFailure: true });
        } finally {
          for (const { api } of apis) await api.close();
          for (const { drop } of recorded) await drop();
        }
      }
      if (process.env["PRINT_COUNTS"] !== undefined) console.table(counts);
      expect(Object.entries(counts).filter(([, found]) => found < SEQUENCES)).toEqual([]);
    },
    3_600_000,
  );
});

/** A create that fails can use up several ids in one store, because it runs a second time to find the reason. */
function alignIds(apis: readonly WorldApi[]): void {
  const author = Math.max(...apis.map(({ last }) => last.author));
  const book = Math.max(...apis.map(({ last }) => last.book));
  for (const { last } of apis) Object.assign(last, { author, book });
}

/** Entries of a history have random ids. */
function stable(changes: readonly unknown[]): unknown {
  const own = (changes as readonly { readonly resource?: string }[]).filter(
    ({ resource }) => resource?.endsWith("History") !== true,
  );
  return withoutTimes(own);
}
