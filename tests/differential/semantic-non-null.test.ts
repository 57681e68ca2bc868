import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { buildSchema, type GraphQLSchema, isObjectType, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { CALLERS } from "../equivalence/library.ts";
import { askGraphqlJs, comparable, toAnswer } from "./answer.ts";
import { anyDocuments } from "./any-document.ts";
import { ask } from "./ask.ts";
import { createRuledApi, ruledPlans } from "./ruled-schema.ts";

/** Documents in all schemas together. */
const RUNS = Number(process.env["DIFFERENTIAL_RUNS"] ?? 1_000);
const PER_SCHEMA = 10;
/** The least numbers that 1,000 documents must reach. */
const LEAST = { marked: 500, denied: 200, unreported: 20, unmarkedNulls: 300, emptyPages: 10, singles: 20 };

interface GraphqlResponse {
  readonly data: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: string };
  }[];
}

interface Found {
  readonly field: string;
  readonly path: string;
  readonly value: unknown;
}

/** Finds the fields of a response by their response keys, which `anyDocuments` makes of the type and the field. */
function* fieldsOf(value: unknown, path = ""): Generator<Found> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const [, type, name] = /^([A-Za-z]+)_([A-Za-z]+)_/.exec(key) ?? [];
    const at = `${path}/${key}`;
    if (type !== undefined) yield { field: `${type}.${name}`, path: at, value: inner };
    yield* fieldsOf(inner, at);
  }
}

/** Reads the marks as a client's tools do, from the SDL. */
function marksOf(sdl: GraphQLSchema): ReadonlySet<string> {
  const marked = new Set<string>();
  for (const type of Object.values(sdl.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const { name, astNode } of Object.values(type.getFields())) {
      if (astNode?.directives?.some((one) => one.name.value === "semanticNonNull")) marked.add(`${type.name}.${name}`);
    }
  }
  return marked;
}

/** Returns how many errors the last one stands for. It has no path. */
function unshown({ errors = [] }: GraphqlResponse): number {
  return Number(/^(\d+) more errors are not shown\.$/.exec(errors.at(-1)?.message ?? "")?.[1] ?? 0);
}

const cases = ruledPlans.chain((plan) => {
  const { schema } = createRuledApi(plan).graphql;
  const queries = fc.array(anyDocuments(schema), { minLength: PER_SCHEMA, maxLength: PER_SCHEMA });
  return fc.record({ plan: fc.constant(plan), queries, caller: fc.constantFrom(...CALLERS) });
});

test("a field with @semanticNonNull is null only if there is an error for it", async () => {
  const counts = { documents: 0, marked: 0, denied: 0, unreported: 0, unmarkedNulls: 0, emptyPages: 0, singles: 0 };
  await fc.assert(
    fc.asyncProperty(cases, async ({ plan, queries, caller: { principal } }) => {
      const api = createRuledApi(plan);
      const marks = marksOf(buildSchema(api.graphql.sdl()));
      for (const query of queries) {
        if (validate(api.graphql.schema, parse(query)).length > 0) continue;
        counts.documents += 1;
        const text = await ask(api, { query, variables: {} }, principal);
        const response = JSON.parse(text) as GraphqlResponse;
        // An error of a non-null field below makes the field null too.
        const reported = response.errors?.map(({ path = [] }) => `/${path.join("/")}/`) ?? [];
        const silent: string[] = [];
        for (const { field, path, value } of fieldsOf(response.data)) {
          if (value === null && !marks.has(field)) counts.unmarkedNulls += 1;
          if (isEmptyPage(value)) counts.emptyPages += 1;
          if (!marks.has(field)) continue;
          counts.marked += 1;
          if (field.endsWith(".parent")) counts.singles += 1;
          if (value !== null) continue;
          counts.denied += 1;
          if (!reported.some((error) => error.startsWith(`${path}/`))) silent.push(path);
        }
        counts.unreported += silent.length;
        // A wrong mark turns a legitimate null into an error.
        const faults = plan.isSound ? response.errors?.filter(({ extensions: { code } }) => code === "INTERNAL") : [];
        expect({ query, faults: faults ?? [] }).toEqual({ query, faults: [] });
        // After `resultErrors` errors, the last error has the number of the others.
        expect({ query, silent: silent.length <= unshown(response) ? [] : silent }).toEqual({ query, silent: [] });
        if (plan.resultErrors < 1e6) continue;
        const expected = await askGraphqlJs(api, { query, variables: {} }, principal);
        expect({ query, ...comparable(toAnswer(text), expected) }).toEqual({ query, ...expected });
      }
      await api.close();
    }),
    { numRuns: Math.ceil(RUNS / PER_SCHEMA), seed: drawSeed("DIFFERENTIAL_SEED") },
  );
  const tooFew = Object.entries(LEAST).filter(
    ([kind, least]) => counts[kind as keyof typeof LEAST] < (least * counts.documents) / 1_000,
  );
  expect({ tooFew, counts }).toEqual({ tooFew: [], counts });
}, 3_600_000);

function isEmptyPage(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).some(([key, inner]) => key.endsWith("Connection_totalCount_") && inner === 0)
  );
}
