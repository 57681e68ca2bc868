import {
  allow,
  apiKeys,
  belongsTo,
  BifocalError,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  memoryStore,
  silentLog,
} from "@bifocal/core";
import fc from "fast-check";
import { z } from "zod";
import { CALLERS } from "../equivalence/library.ts";

/** A resource of a generated schema. */
interface Plan {
  readonly fields: readonly (keyof typeof FIELDS)[];
  /** The index of the resource that rows of this one reference. */
  readonly target: number;
  /** Callers without a role miss the rows with this id. */
  readonly hides: number | undefined;
  readonly isSecretive: boolean;
  readonly isNamed: boolean;
  readonly isMember: boolean;
  /** The behavior of its host field. */
  readonly host: "value" | "null" | "throw" | "masked" | "row" | "rows";
  readonly rows: readonly { readonly pointer: number | null; readonly seed: number }[];
}

export interface SchemaPlan {
  readonly resources: readonly Plan[];
  readonly hasGlobalIds: boolean;
}

// A name of zod's registry belongs to one schema.
const square = z.object({ kind: z.literal("square"), side: z.int32() }).meta({ id: "DrawnSquare" });
const circle = z
  .object({ kind: z.literal("circle"), radius: z.number(), colors: z.array(z.string()) })
  .meta({ id: "DrawnCircle" });
const shape = z.discriminatedUnion("kind", [square, circle]).meta({ id: "DrawnShape" });

/** Fields by name, each with a value for a seed. */
const FIELDS = {
  size: [z.int32(), (n: number) => n],
  price: [z.number().nullable(), (n: number) => (n % 3 === 0 ? null : n / 2)],
  note: [z.string().nullable(), (n: number) => (n % 2 === 0 ? null : `n"${n}\n`)],
  isOpen: [z.boolean(), (n: number) => n % 2 === 0],
  level: [z.enum(["low", "high"]), (n: number) => (n % 2 === 0 ? "low" : "high")],
  day: [z.iso.date(), (n: number) => `2026-01-0${1 + (n % 9)}`],
  words: [z.array(z.string()), (n: number) => ["a", "b", "c"].slice(0, n % 4)],
  place: [z.object({ x: z.int32(), y: z.int32().nullable() }), (n: number) => ({ x: n, y: n % 2 === 0 ? null : n })],
  shape: [
    shape.nullable(),
    (n: number) => [null, { kind: "square", side: n }, { kind: "circle", radius: n / 2, colors: ["red"] }][n % 3],
  ],
  shapes: [
    z.array(shape),
    (n: number) =>
      [
        { kind: "square", side: n },
        { kind: "circle", radius: 1.5, colors: [] },
      ].slice(n % 3),
  ],
} as const;

const plan: fc.Arbitrary<Plan> = fc.record({
  fields: fc.subarray(Object.keys(FIELDS) as (keyof typeof FIELDS)[], { minLength: 1 }),
  target: fc.nat(2),
  hides: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  isSecretive: fc.boolean(),
  isNamed: fc.boolean(),
  isMember: fc.boolean(),
  host: fc.constantFrom("value", "null", "throw", "masked", "row", "rows"),
  rows: fc.array(fc.record({ pointer: fc.option(fc.integer({ min: 1, max: 4 })), seed: fc.nat(12) }), {
    minLength: 1,
    maxLength: 4,
  }),
});

export const schemaPlans: fc.Arbitrary<SchemaPlan> = fc.record({
  resources: fc.array(plan, { minLength: 2, maxLength: 3 }),
  hasGlobalIds: fc.boolean(),
});

const names = ["alpha", "beta", "gamma"] as const;
const types = ["Alpha", "Beta", "Gamma"] as const;

/** An API of resources with relations and unions, and with an interface, a union and fields of a host. */
export function createApi({ resources, hasGlobalIds }: SchemaPlan) {
  const at = (n: number): number => n % resources.length;
  const defined = resources.map((one, index) => {
    const secret = one.fields[0] as keyof typeof FIELDS;
    return defineResource(
      names[index] as string,
      {
        fields: {
          id: z.int32(),
          pointer: z.int32().nullable(),
          ...Object.fromEntries(one.fields.map((name) => [name, FIELDS[name][0]])),
        },
        relations: {
          target: belongsTo(names[at(one.target)] as string, "pointer"),
          ...Object.fromEntries(
            resources.flatMap((other, place) =>
              at(other.target) === index
                ? [[`${names[place]}Sources`, hasMany(names[place] as string, "pointer")]]
                : [],
            ),
          ),
        },
        access: {
          read: ({ principal }: { principal: { roles?: readonly string[] } | null }) =>
            one.hides === undefined || principal?.roles !== undefined ? true : { id: { ne: one.hides } },
          create: allow,
          update: allow,
          delete: allow,
          ...(one.isSecretive ? { fields: { [secret]: { read: hasRole("admin") } } } : {}),
        },
        filterable: ["id"],
        sortable: ["id"],
      } as never,
    );
  });
  const data = Object.fromEntries(
    resources.map((one, index) => [
      names[index],
      one.rows.map(({ pointer, seed }, place) => ({
        id: place + 1,
        pointer: pointer !== null && pointer <= (resources[at(one.target)] as Plan).rows.length ? pointer : null,
        ...Object.fromEntries(one.fields.map((name) => [name, FIELDS[name][1](seed)])),
      })),
    ]),
  );
  return defineApi({
    resources: defined,
    store: memoryStore({ data: data as never }),
    log: silentLog,
    limits: {
      graphql: {
        aliases: 5_000,
        directives: 5_000,
        rootFields: 5_000,
        tokens: 1e9,
        documentLength: 1e9,
        fieldPairs: 1e9,
        fields: 1e9,
        resultErrors: 1e6,
      },
      query: { selectionDepth: 50, cost: 1e12 },
    },
    auth: apiKeys(
      Object.fromEntries(CALLERS.flatMap(({ principal }) => (principal === null ? [] : [[principal.id, principal]]))),
    ),
    graphql: { globalIds: hasGlobalIds, extend: extensionOf(resources) },
  });
}

/** Rows of any resource, as an interface and as a union, and a field of the host in each type. */
function extensionOf(resources: readonly Plan[]): object {
  const named = types.filter((_, index) => resources[index]?.isNamed);
  const members = types.filter((_, index) => resources[index]?.isMember);
  const all = types.slice(0, resources.length);
  const rowsOf = (list: readonly string[]) =>
    list.flatMap((type) => [1, 2, 3, 4].map((id) => ({ __typename: type, id })));
  const hostType = {
    value: "String",
    null: "String",
    throw: "String",
    masked: "String!",
    row: "Alpha",
    rows: "[Beta!]!",
  };
  const typeDefs = `
    interface Labelled { label: String! }
    type Plain implements Labelled { label: String! n: Int }
    union Any = ${[...members, "Plain"].join(" | ")}
    extend type Query { labelled: [Labelled]! any: [Any!]! one(n: Int! = 2): Any plain: Plain! broken: Int }
    ${all
      .map((type, index) => {
        const host = hostType[(resources[index] as Plan).host];
        const label = named.includes(type) ? " label: String!" : "";
        return `extend type ${type}${label === "" ? "" : " implements Labelled"} { host: ${host}${label} }`;
      })
      .join("\n")}`;
  const plain = { __typename: "Plain", label: "plain", n: 7 };
  const resolvers = {
    Query: {
      labelled: () => [plain, null, ...rowsOf(named)],
      any: () => [...rowsOf(members), plain],
      one: async (_source: unknown, { n }: { n: number }) => rowsOf(members)[n] ?? null,
      plain: () => plain,
      broken: () => {
        throw new Error("A fault of the host.");
      },
    },
  };
  const hosts = {
    value: () => "value",
    null: () => null,
    throw: () => {
      throw new BifocalError("CONFLICT", "Not now.");
    },
    masked: async () => {
      throw new Error("Not for clients.");
    },
    row: () => 1,
    rows: () => [2, 1, 99],
  };
  const fields = Object.fromEntries(
    all.map((type, index) => {
      const { host, fields: own } = resources[index] as Plan;
      const label = {
        needs: [own[0]],
        resolve: (row: Record<string, unknown>) => `${type} ${JSON.stringify(row[own[0] as string])}`,
      };
      return [names[index], { host: hosts[host], ...(named.includes(type) ? { label } : {}) }];
    }),
  );
  return { typeDefs, resolvers, fields };
}
