import fc from "fast-check";
import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from "graphql";
import { expect, test } from "vitest";
import { compileVariables } from "./variables.ts";

const schema = buildSchema(`
  enum Kind { A B }
  input Inner { name: String!, kinds: [Kind!], more: Inner, size: Int = 3, ids: [ID] }
  input One @oneOf { a: Int, b: Int }
  type Query { ask(inner: Inner, one: One): Int }
`);

const TYPES = [
  "Int",
  "Int!",
  "Float",
  "String",
  "Boolean!",
  "ID",
  "[Int!]",
  "[[ID]]!",
  "Kind",
  "[Kind!]!",
  "Inner",
  "[Inner!]",
  "One",
];
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  Int: ["", " = 7", " = null"],
  Kind: ["", " = B"],
  Inner: ["", ' = { name: "n" }'],
};
const NAMES = ["a", "b", "constructor", "__proto__", "toString"];

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(null, "A", "C", "x", "", 1, -0, 1.5, 2 ** 31, 1e300, true, "1"),
    fc.string({ maxLength: 3 }),
  ),
  inner: fc.record(
    {
      name: fc.oneof(fc.string(), tie("leaf")),
      kinds: tie("any"),
      more: tie("any"),
      size: tie("leaf"),
      ids: tie("any"),
      other: fc.nat(1),
    },
    { requiredKeys: [] },
  ),
  one: fc.record({ a: fc.oneof(fc.nat(), fc.constant(null)), b: fc.nat() }, { requiredKeys: [] }),
  any: fc.oneof({ depthSize: "small" }, tie("leaf"), fc.array(tie("any"), { maxLength: 3 }), tie("inner"), tie("one")),
})).any;

const definition = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...TYPES))
  .chain(([name, type]) =>
    fc.constantFrom(...(DEFAULTS[type] ?? [""])).map((standard) => ({ name, text: `$${name}: ${type}${standard}` })),
  );

/** graphql-js 16 and 17 return the coerced variables in different places. */
function byGraphqlJs(
  definitions: OperationDefinitionNode["variableDefinitions"],
  inputs: Record<string, unknown>,
): unknown {
  const found = getVariableValues(schema, definitions ?? [], inputs, { maxErrors: 50 }) as unknown as {
    readonly errors?: readonly Error[];
    readonly coerced?: object;
    readonly variableValues?: { readonly coerced: object };
  };
  if (found.errors !== undefined) return found.errors.map(({ message }) => message);
  return { ...(found.variableValues?.coerced ?? found.coerced) };
}

test("coerces variables like graphql-js, including errors", () => {
  const seen = { right: 0, wrong: 0 };
  fc.assert(
    fc.property(
      fc.uniqueArray(definition, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
      fc.dictionary(fc.constantFrom(...NAMES), value, { noNullPrototype: true }),
      (definitions, inputs) => {
        const text = `query (${definitions.map((one) => one.text).join(", ")}) { ask }`;
        const [operation] = parse(text).definitions as readonly [OperationDefinitionNode];
        const ours = compileVariables(schema, operation.variableDefinitions ?? [], {
          hideSuggestions: false,
          maxErrors: 50,
        })(inputs);
        const answer = ours.errors?.map(({ message }) => message) ?? { ...ours.variables };
        seen[ours.errors === undefined ? "right" : "wrong"] += 1;
        expect(answer).toEqual(byGraphqlJs(operation.variableDefinitions, inputs));
      },
    ),
    { numRuns: 2_000 },
  );
  expect(Math.min(seen.right, seen.wrong)).toBeGreaterThan(200);
});
