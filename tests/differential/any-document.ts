import fc from "fast-check";
import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  type GraphQLCompositeType,
} from "graphql";

const DEPTH = 4;
/** Cursors are opaque, and the form of an id doesn't matter here. */
const LEFT_OUT = new Set(["cursor", "startCursor", "endCursor"]);

/** Random documents over any schema: fields, aliases, fragments on types, interfaces and unions, directives and arguments. */
export function anyDocuments(schema: GraphQLSchema): fc.Arbitrary<string> {
  function selection(type: GraphQLCompositeType, depth: number): fc.Arbitrary<string> {
    const own = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const possible = own.filter((field) => canSelect(field, depth));
    const fields = possible.map((field) => selected(type.name, field, depth));
    const concrete = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
    const interfaces = isObjectType(type) ? type.getInterfaces() : [];
    const fragments = [...concrete, ...interfaces, ...(isObjectType(type) ? [type] : [])].map((inner) =>
      depth === 0 ? fc.constant("__typename") : selection(inner, depth - 1).map((set) => `... on ${inner.name} ${set}`),
    );
    const parts = [
      { weight: 1, arbitrary: fc.constant("__typename") },
      ...fields.map((arbitrary) => ({ weight: 2, arbitrary })),
      ...fragments.map((arbitrary) => ({ weight: isAbstractType(type) ? 4 : 1, arbitrary })),
    ];
    return fc
      .array(fc.oneof(...parts), { minLength: 1, maxLength: 5, size: "max" })
      .map((all) => `{ ${[...new Set(all)].join(" ")} }`);
  }

  function canSelect({ name, type, args }: GraphQLField<unknown, unknown>, depth: number): boolean {
    const isDeep = isCompositeType(getNamedType(type));
    const isAnswerable = args.every(
      (one) => !isNonNullType(one.type) || one.defaultValue !== undefined || String(one.type) === "ID!",
    );
    return !LEFT_OUT.has(name) && (depth > 0 || !isDeep) && isAnswerable;
  }

  function selected(parent: string, field: GraphQLField<unknown, unknown>, depth: number): fc.Arbitrary<string> {
    const type = getNamedType(field.type);
    const set = isCompositeType(type) ? selection(type, depth - 1) : fc.constant("");
    const directive = fc.constantFrom("", "", "", "", " @skip(if: false)", " @include(if: false)");
    return fc.tuple(argumentsOf(field), directive, set).map(([args, given, inner]) => {
      // A response key has one meaning, whatever the type condition of its fragment is.
      const key = `${parent}_${field.name}_${args.replaceAll(/\W+/g, "_")}`;
      return `${key}: ${field.name}${args}${given} ${inner}`;
    });
  }

  function argumentsOf({ args }: GraphQLField<unknown, unknown>): fc.Arbitrary<string> {
    const has = (name: string): boolean => args.some((one) => one.name === name);
    const id = fc.integer({ min: 1, max: 5 });
    if (has("id")) return id.map((n) => `(id: "${n}")`);
    if (has("n")) return fc.constantFrom("", "(n: 0)", "(n: 3)", "(n: 99)");
    if (!has("first")) return fc.constant("");
    return fc.oneof(
      fc.constant(""),
      fc.integer({ min: 0, max: 4 }).map((n) => `(first: ${n})`),
      fc.integer({ min: 1, max: 4 }).map((n) => `(last: ${n})`),
      id.map((n) => `(filter: { id: { ne: "${n}" } }, first: 4)`),
      fc.constant("(sort: [ID_DESC])"),
    );
  }

  return selection(schema.getQueryType() as GraphQLObjectType, DEPTH).map((set) => `query ${set}`);
}
