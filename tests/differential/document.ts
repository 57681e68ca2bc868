import fc from "fast-check";
import { getNamedType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from "graphql";
import { idOf } from "../equivalence/library.ts";

/** A document with its variables. */
export interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const FILTERS: Readonly<Record<string, readonly string[]>> = {
  Author: [
    '{ name: { istartsWith: "a" } }',
    "{ born: { isNull: true } }",
    "{ not: { born: { gt: 1902 } } }",
    "{ books: { some: { price: { gt: 7 } } } }",
    '{ books: { every: { genre: { in: [novel, poem] } } }, name: { ne: "ben" } }',
  ],
  Book: [
    '{ title: { contains: "a" } }',
    '{ title: { notContains: "a" } }',
    "{ price: { between: [2.5, 8] } }",
    "{ genre: { notIn: [essay] } }",
    "{ publishedAt: { ne: null } }",
    '{ publishedAt: { lt: "2014-01-01" } }',
    '{ not: { publishedAt: { lt: "2014-01-01" } } }',
    '{ or: [{ author: { name: { eq: "Ann" } } }, { price: { gte: 10 } }] }',
    "{ reviews: { none: { stars: { lte: 2 } } } }",
    '{ tags: { some: { name: { endsWith: "1" } } } }',
    "{ and: [{ price: { gt: 0 } }, { reviews: { some: { text: { isNull: false } } } }] }",
  ],
  Review: [
    "{ stars: { gte: $stars } }",
    '{ text: { icontains: "TEXT" } }',
    '{ book: { title: { startsWith: "Emma" } } }',
    "{ text: { isNull: true } }",
    '{ text: { notContains: "1" } }',
    '{ not: { text: { notContains: "1" } } }',
  ],
  Memo: ['{ text: { contains: "1" } }'],
  Tag: ['{ name: { in: ["tag 1", "tag 2"] } }', "{ books: { some: { price: { lt: 3 } } } }"],
};

const KINDS: Readonly<Record<string, number>> = { author: 1, book: 2, review: 3, memo: 4, tag: 5 };

/** Cursors are opaque, so two servers can use different ones. */
const OPAQUE = new Set(["cursor", "startCursor", "endCursor"]);

const DIRECTIVES = ["", "", "", "", " @include(if: $yes)", " @skip(if: $no)", " @include(if: $no)", " @skip(if: $yes)"];

interface DocumentOptions {
  /** Whether documents select aggregates. Default true. */
  readonly hasGroups?: boolean;
}

/** Random documents over a schema: any field, aliases, fragments, directives, variables, lists with their arguments. */
export function documents(schema: GraphQLSchema, { hasGroups = true }: DocumentOptions = {}): fc.Arbitrary<Asked> {
  const isDrawn = ({ name }: { readonly name: string }): boolean =>
    !OPAQUE.has(name) && (hasGroups || !name.endsWith("Aggregate"));

  function selection(type: GraphQLObjectType, depth: number): fc.Arbitrary<string> {
    const fields = Object.values(type.getFields()).filter(
      (field) => isDrawn(field) && (depth > 0 || !isObjectType(getNamedType(field.type))),
    );
    if (fields.length === 0) return fc.constant("{ __typename }");
    const one = fc.constantFrom(...fields).chain((field) => selected(field, depth));
    const plain = fc.oneof({ weight: 8, arbitrary: one }, { weight: 1, arbitrary: fc.constant("__typename") });
    const inline = fc
      .array(plain, { minLength: 1, maxLength: 3 })
      .map((all) => `... on ${type.name} { ${all.join(" ")} }`);
    const part = fc.oneof(
      { weight: 6, arbitrary: plain },
      { weight: 1, arbitrary: inline },
      { weight: 1, arbitrary: type.name in FILTERS ? fc.constant(`...${type.name}Parts`) : plain },
    );
    return fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `{ ${merged(parts).join(" ")} }`);
  }

  function selected(field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
    const type = getNamedType(field.type);
    const inner = isObjectType(type) ? selection(type, depth - 1) : fc.constant("");
    const args = argumentsOf(field);
    const alias = fc.nat(3);
    return fc.tuple(alias, args, fc.constantFrom(...DIRECTIVES), inner).map(([n, given, directive, set]) => {
      // The response key includes the field's arguments, because equal keys must have the same meaning.
      const key = given === "" && n > 0 ? "" : `${field.name}_${hash(given)}: `;
      return `${key}${field.name}${given}${directive} ${set}`;
    });
  }

  function argumentsOf(field: GraphQLField<unknown, unknown>): fc.Arbitrary<string> {
    const names = new Set(field.args.map(({ name }) => name));
    const typeName = String(getNamedType(field.type)).replace(/Connection$/, "");
    const kind = KINDS[field.name] ?? KINDS[typeName.toLowerCase()] ?? 0;
    const id = fc.integer({ min: 0, max: 25 }).map((n) => `id: "${idOf(kind, n)}"`);
    if (!names.has("filter")) return names.has("id") ? id.map((text) => `(${text})`) : fc.constant("");
    const inputs = [
      names.has("id") ? id : fc.constant(""),
      names.has("year") ? fc.integer({ min: 1990, max: 2025 }).map((year) => `year: ${year}`) : fc.constant(""),
      names.has("genres") ? fc.constantFrom("", "genres: [novel, poem]", "genres: []") : fc.constant(""),
    ];
    const sort = field.args.find(({ name }) => name === "sort");
    const sorts = sort === undefined ? [] : enumValues(schema, String(getNamedType(sort.type)));
    const place = fc.oneof(
      fc.integer({ min: 1, max: 6 }).map((n) => `first: ${n}`),
      fc.integer({ min: 1, max: 6 }).map((n) => `last: ${n}`),
      fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(8)).map(([n, offset]) => `first: ${n}, offset: ${offset}`),
      fc.constant("first: $size"),
    );
    const parts = [
      ...inputs,
      fc.option(
        fc.constantFrom(...(FILTERS[typeName] ?? ["null"])).map((filter) => `filter: ${filter}`),
        { nil: "" },
      ),
      fc.option(place, { nil: "" }),
      sorts.length === 0 ? fc.constant("") : fc.option(sortOf(sorts), { nil: "" }),
    ];
    return fc.tuple(...parts).map((given) => {
      const text = given.filter((part) => part !== "").join(", ");
      return text === "" ? "" : `(${text})`;
    });
  }

  const fragments = ["Author", "Book", "Review", "Memo", "Tag"].map((name) => {
    const type = schema.getType(name) as GraphQLObjectType;
    const scalars = Object.values(type.getFields()).filter((field) => !isObjectType(getNamedType(field.type)));
    return [name, `fragment ${name}Parts on ${name} { ${scalars.map((field) => field.name).join(" ")} }`] as const;
  });

  const query = schema.getQueryType() as GraphQLObjectType;
  const roots = fc.array(
    fc.constantFrom(...Object.values(query.getFields()).filter(isDrawn)).chain((field) => selected(field, 4)),
    { minLength: 1, maxLength: 2 },
  );
  return roots.map((all) => {
    const body = merged(all).join(" ");
    const used = fragments.filter(([name]) => body.includes(`...${name}Parts`)).map(([, text]) => text);
    // Validation rejects unused variables.
    const needed = Object.entries(VARIABLES).filter(([name]) => body.includes(`$${name}`));
    const declared = needed.map(([name, { type }]) => `$${name}: ${type}`).join(", ");
    return {
      query: `query${declared === "" ? "" : ` (${declared})`} { ${body} } ${used.join(" ")}`,
      variables: Object.fromEntries(needed.map(([name, { value }]) => [name, value])),
    };
  });
}

const VARIABLES: Readonly<Record<string, { readonly type: string; readonly value: unknown }>> = {
  yes: { type: "Boolean!", value: true },
  no: { type: "Boolean!", value: false },
  stars: { type: "Int", value: 3 },
  size: { type: "Int = 4", value: undefined },
};

function sortOf(values: readonly string[]): fc.Arbitrary<string> {
  const path = (value: string): string => value.replace(/_(ASC|DESC)$/, "");
  return fc
    .uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2, selector: path })
    .map((terms) => `sort: [${terms.join(", ")}]`);
}

function enumValues(schema: GraphQLSchema, name: string): readonly string[] {
  const type = schema.getType(name) as { getValues(): readonly { readonly name: string }[] };
  return type.getValues().map((value) => value.name);
}

/** Two fields with the same key may have different directives; everything else about them is equal here. */
function merged(parts: readonly string[]): readonly string[] {
  return [...new Set(parts)];
}

function hash(text: string): string {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return sum.toString(36);
}
