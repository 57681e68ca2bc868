import { memoryStore } from "@bifocal/core";
import {
  type Filter,
  type Json,
  type Model,
  OPERATORS,
  type ResourceModel,
  type Row,
  type Store,
} from "@bifocal/core/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStore } from "../../src/index.ts";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { createModel } from "./model.ts";
import { type Kind, SPECIAL_TEXTS, TEXTS } from "./values.ts";

const NUMBERS = [
  0, 1, -1, 2.5, 0.1, 0.30000000000000004, 1e-7, 1e21, -1e300, 5e-324, 1.7976931348623157e308, 4294967296.5,
  663530083038468400, 9.372550340185505,
];
/** Next to values that differ in their last digits or by a tiny amount. */
const CLOSE = [0.3, 1e-13, 2e-13, -1e-13, 1e-300, 9007199254740991, 9007199254740990, 1.0000000000000002];
const BIGINTS = [
  "0",
  "9",
  "10",
  "-1",
  "9007199254740993",
  "9007199254740992",
  "9223372036854775807",
  "-9223372036854775808",
];

/** Every value combined with every other, for every operator of its kind. */
const VALUES: readonly (readonly [kind: Kind, stored: readonly Json[], operands: readonly Json[]])[] = [
  ["text", ["", ...TEXTS, ...TEXTS.map((one) => `x${one}y`)], ["", ...TEXTS, "xay", "xAY"]],
  ["text", [...SPECIAL_TEXTS, "i", "a σ"], [...SPECIAL_TEXTS, "i", "I", "σ"]],
  ["texts", [[], ...TEXTS.map((one) => [one]), ["a", "b"], ["a", "a"]], ["", ...TEXTS]],
  ["numbers", [[], [1, 2.5], ...[...NUMBERS, ...CLOSE].map((one) => [one])], [2.5, ...NUMBERS, ...CLOSE]],
  ["number", NUMBERS, NUMBERS],
  ["integer", [0, 1, 9007199254740991, -9007199254740991], [0, 1, 2147483648, 9007199254740991, -9007199254740991]],
  ["bigint", BIGINTS, [...BIGINTS, "9223372036854775808", "-9223372036854775809", "1".repeat(60)]],
];

const RESOURCE = { key: ["int32"], unique: [], hasVersion: false, pointsAt: [], linkedTo: [] } as const;

describe.each(servers)("$name", ({ missing, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === undefined) database = await create();
  });
  afterAll(() => database?.drop());

  test.skipIf(missing !== undefined).each(VALUES)(
    "compares %s as memoryStore does",
    async (kind, values, operands) => {
      await database.clear();
      const model = createModel({ resources: [{ ...RESOURCE, name: "order", fields: [{ kind, nullable: true }] }] });
      const resource = model.resources.get("order") as ResourceModel;
      const rows = [null, ...values].map((value, id): Row => ({ id, select: value }));
      const stores = await Promise.all(
        [memoryStore(), sqlStore({ url: database.url, autoCreate: true })].map((store) => fill(store, model, rows)),
      );
      const differing: string[] = [];
      for (const operator of resource.fields.get("select")?.operators ?? []) {
        for (const [at, one] of (operator === "isNull" ? [true, false] : operands).entries()) {
          const other = operands[(at * 7 + 3) % operands.length] as Json;
          const { operand } = OPERATORS[operator];
          const value: Json = operand === "pair" ? [one, other] : operand === "list" ? [one, other, one] : one;
          const filter: Filter = { kind: "compare", field: "select", operator, value };
          const sort = [{ path: ["id"] as const, descending: false }];
          const ask = async (store: Store): Promise<readonly number[]> => {
            const page = await store.list({ resource, filter, sort, limit: 1_000 }, { signal: undefined });
            return page.rows.map((row) => row["id"] as number);
          };
          const [expected = [], said = []] = await Promise.all(stores.map(ask));
          const more = said.filter((id) => !expected.includes(id));
          const less = expected.filter((id) => !said.includes(id));
          const say = (ids: readonly number[]): string => JSON.stringify(ids.map((id) => rows[id]?.["select"]));
          if (more.length + less.length > 0)
            differing.push(`${operator} ${JSON.stringify(value)}: too much ${say(more)}, too little ${say(less)}`);
        }
      }
      for (const store of stores) await store.close?.();
      expect(differing).toEqual([]);
    },
    60_000,
  );
});

async function fill(store: Store, model: Model, rows: readonly Row[]): Promise<Store> {
  await store.open(model, [...model.resources.values()]);
  await store.insert({ resource: model.resources.get("order") as ResourceModel, rows }, { signal: undefined });
  return store;
}
