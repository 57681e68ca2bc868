import {
  allOf,
  allow,
  anyOf,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  memoryStore,
  owner,
  signedIn,
  silentLog,
  type Store,
  unless,
} from "@bifocal/core";
import type { Row, StorePage } from "@bifocal/core/store";
import fc from "fast-check";
import { z } from "zod";
import { CALLERS } from "../equivalence/library.ts";

/** Read rules of every sort: of the library, composed, and written by a host, with booleans and with filters. */
const RULES = {
  allow,
  // The constant `deny` would remove the operations.
  deny: () => false,
  signedIn,
  admins: hasRole("admin"),
  notReaders: unless(hasRole("reader")),
  composed: allOf(signedIn, anyOf(hasRole("editor"), hasRole("admin"))),
  someRows: anyOf(hasRole("admin"), () => ({ id: { ne: 2 } })),
  owned: owner("text"),
  later: async ({ principal }: { readonly principal: unknown }) => principal !== null,
  broken: (): boolean => {
    throw new Error("A fault of the host.");
  },
} as const;

type RuleName = keyof typeof RULES;

interface StoredRow {
  /** The parent 9 is missing. */
  readonly parentId: number;
  readonly text: string;
}

interface RuledResource {
  readonly read: RuleName;
  readonly readText: RuleName | undefined;
  readonly readMaybe: RuleName | undefined;
  readonly readParentId: RuleName | undefined;
  readonly readParent: RuleName | undefined;
  readonly readSources: RuleName | undefined;
  /** The index of the resource that rows of this one reference. */
  readonly parent: number;
  readonly isParentRequired: boolean;
  readonly rows: readonly StoredRow[];
}

export interface RuledPlan {
  readonly resources: readonly RuledResource[];
  readonly globalIds: boolean;
  readonly nonNullConnections: boolean;
  readonly resultErrors: number;
  /** Whether all rows match the schemas of their fields, and all parents exist. */
  readonly isSound: boolean;
}

/** Stored as null, as in rows from before a field was required. */
const OLD = { parentId: 0, text: "old" };

const rule = fc.constantFrom(...(Object.keys(RULES) as RuleName[]));
const ownRule = fc.option(rule, { nil: undefined });

const resources = fc.record({
  read: fc.oneof(fc.constantFrom("allow" as const, "someRows" as const), rule),
  readText: ownRule,
  readMaybe: ownRule,
  readParentId: ownRule,
  readParent: ownRule,
  readSources: ownRule,
  parent: fc.nat(1),
  isParentRequired: fc.constantFrom(true, true, false),
  rows: fc.array(
    fc.record({
      parentId: fc.constantFrom(1, 1, 2, 3, 9, OLD.parentId),
      text: fc.constantFrom("a", "b", "r", "e", "text", OLD.text),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

export const ruledPlans: fc.Arbitrary<RuledPlan> = fc.record({
  resources: fc.tuple(resources, resources),
  globalIds: fc.boolean(),
  nonNullConnections: fc.boolean(),
  resultErrors: fc.constantFrom(3, 1e6, 1e6),
  isSound: fc.boolean(),
});

const NAMES = ["alpha", "beta"] as const;

/** An API of two resources with rules on rows, fields and relations. Some rows violate the schema of their fields. */
export function createRuledApi(plan: RuledPlan) {
  const defined = plan.resources.map((own, index) => {
    const fields = omitMissing({ text: own.readText, maybe: own.readMaybe, parentId: own.readParentId });
    const relations = omitMissing({ parent: own.readParent, sources: own.readSources });
    const others = NAMES.filter((_, other) => plan.resources[other]?.parent === index);
    return defineResource(
      NAMES[index] as string,
      {
        fields: {
          id: z.int32(),
          parentId: own.isParentRequired ? z.int32() : z.int32().nullable(),
          text: z.string(),
          maybe: z.string().nullable(),
        },
        relations: {
          parent: belongsTo(NAMES[own.parent] as string, "parentId"),
          ...(others[0] === undefined ? {} : { sources: hasMany(others[0], "parentId") }),
        },
        access: {
          read: RULES[own.read],
          create: allow,
          update: allow,
          delete: allow,
          fields: Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, { read: RULES[read] }])),
          relations: Object.fromEntries(
            Object.entries(relations)
              .filter(([name]) => name === "parent" || others.length > 0)
              .map(([name, read]) => [name, { read: RULES[read] }]),
          ),
        },
        filterable: ["id"],
        sortable: ["id"],
      } as never,
    );
  });
  const data = Object.fromEntries(
    plan.resources.map(({ parent, rows }, index) => {
      const parents = plan.resources[parent]?.rows.length ?? 0;
      const sound = ({ parentId, text }: StoredRow): StoredRow => ({
        parentId: 1 + (parentId % parents),
        text: text === OLD.text ? "a" : text,
      });
      const stored = plan.isSound ? rows.map(sound) : rows;
      return [NAMES[index], stored.map((row, at) => ({ id: at + 1, ...row, maybe: at % 2 === 0 ? null : "m" }))];
    }),
  );
  const most = { aliases: 5_000, directives: 5_000, rootFields: 5_000, tokens: 1e9, documentLength: 1e9 };
  return defineApi({
    resources: defined,
    store: withOldRows(memoryStore({ data: data as never })),
    log: silentLog,
    graphql: { globalIds: plan.globalIds, nonNullConnections: plan.nonNullConnections },
    limits: {
      graphql: { ...most, fieldPairs: 1e9, fields: 1e9, resultErrors: plan.resultErrors },
      query: { selectionDepth: 50, cost: 1e12 },
    },
    auth: apiKeys(
      Object.fromEntries(CALLERS.flatMap(({ principal }) => (principal === null ? [] : [[principal.id, principal]]))),
    ),
  });
}

/** The memory store accepts only valid rows. */
function withOldRows(store: Store): Store {
  const old = (row: Row): Row => ({
    ...row,
    ...(row["parentId"] === OLD.parentId ? { parentId: null } : {}),
    ...(row["text"] === OLD.text ? { text: null } : {}),
  });
  const oldPage = (page: StorePage): StorePage => ({ ...page, rows: page.rows.map(old) });
  return {
    ...store,
    byKeys: async (query, context) => (await store.byKeys(query, context)).map(old),
    list: async (query, context) => oldPage(await store.list(query, context)),
    listPer: async (query, context) => (await store.listPer(query, context)).map(oldPage),
  };
}

function omitMissing(rules: Readonly<Record<string, RuleName | undefined>>): Record<string, RuleName> {
  return Object.fromEntries(
    Object.entries(rules).filter((entry): entry is [string, RuleName] => entry[1] !== undefined),
  );
}
