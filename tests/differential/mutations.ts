import fc from "fast-check";
import { type GraphQLSchema, isEnumType, isInputObjectType, isObjectType, Lexer, Source, TokenKind } from "graphql";

/** The tokens of a document, as text. */
function tokensOf(text: string): readonly string[] {
  const lexer = new Lexer(new Source(text));
  const tokens: string[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    tokens.push(text.slice(token.start, token.end));
  }
  return tokens;
}

/** Names from the schema, and unknown names. */
function vocabulary(schema: GraphQLSchema): readonly string[] {
  const words = new Set(["nothing"]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith("__")) continue;
    words.add(type.name);
    if (isEnumType(type)) for (const { name } of type.getValues()) words.add(name);
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      words.add(field.name);
      if ("args" in field) for (const argument of field.args) words.add(argument.name);
    }
  }
  return [...words];
}

/** Variables, literals and values of the wrong type. */
const VALUES = ["$stars", "$size", "$yes", "$none", "null", "true", "1", "1.5", "99999999999", '"text"', "[]", "{}"];

const DIRECTIVES = [
  "@skip(if: true)",
  "@include(if: $yes)",
  "@include(if: 1)",
  "@include",
  "@skip(if: $yes) @skip(if: true)",
  "@deprecated",
  "@nothing",
];

const PIECES = [
  "again: id",
  "id: title",
  "title: id",
  "nodes { id }",
  "...BookParts",
  "...Nothing",
  "... on Author { id }",
  "... { __typename }",
  "__typename",
  "__typename { id }",
  "__typename(a: 1)",
  'book(id: "1") { id }',
  "books(first: 1, first: 2) { totalCount }",
  "books(first: $size) { totalCount }",
  "books(first: $none) { totalCount }",
  "books(filter: { price: { gt: 1, gt: 2 } }) { totalCount }",
  "books(filter: { and: { price: { in: [1, null, $size] } } }) { totalCount }",
  "books(sort: PRICE_ASC) { totalCount }",
  "books(sort: [PRICE_ASC, $stars]) { totalCount }",
];

const DEFINITIONS = [
  "fragment Lost on Book { id }",
  "fragment BookParts on Book { ...BookParts }",
  "fragment BookParts on Book { author { books { nodes { ...BookParts } } } }",
  "query Second { tags { totalCount } }",
  "query ($size: Int!) { tags(first: $size) { totalCount } }",
  "subscription { bookCreated { id } }",
  "type Query { id: ID }",
];

type Edit = (tokens: string[], where: number) => void;

/** The index of a token that fits. */
function placeOf(tokens: readonly string[], where: number, fits: RegExp): number {
  const places = tokens.flatMap((token, index) => (fits.test(token) ? [index] : []));
  return places[Math.floor(where * places.length)] ?? tokens.length;
}

/** Mostly changes that leave a parsable document. */
function edits(schema: GraphQLSchema): fc.Arbitrary<Edit> {
  const names = fc.constantFrom(...vocabulary(schema));
  const values = fc.constantFrom(...VALUES);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: names.map(
        (word): Edit =>
          (tokens, where) =>
            void tokens.splice(placeOf(tokens, where, /^[A-Za-z]/), 1, word),
      ),
    },
    {
      weight: 3,
      arbitrary: values.map(
        (word): Edit =>
          (tokens, where) =>
            void tokens.splice(placeOf(tokens, where, /^["\d$]/), 1, word),
      ),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...PIECES).map(
        (piece): Edit =>
          (tokens, where) =>
            void tokens.splice(placeOf(tokens, where, /^\{$/) + 1, 0, piece),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...DIRECTIVES).map(
        (piece): Edit =>
          (tokens, where) =>
            void tokens.splice(placeOf(tokens, where, /^\{$/), 0, piece),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...DEFINITIONS).map(
        (piece): Edit =>
          (tokens) =>
            void tokens.push(piece),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constant<Edit>((tokens, where) => void tokens.splice(Math.floor(where * tokens.length), 1)),
    },
  );
}

/** Documents with one to three changes, most of which are no longer valid. */
export function mutated(schema: GraphQLSchema, documents: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  const some = fc.array(fc.tuple(edits(schema), place), { minLength: 1, maxLength: 3 });
  return fc.tuple(documents, some).map(([text, changes]) => {
    const tokens = [...tokensOf(text)];
    for (const [edit, where] of changes) edit(tokens, where);
    return tokens.join(" ");
  });
}
