/** The parameters of a GraphQL request over HTTP. */
export interface Asked {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A request that costs the server more work than the client. */
export interface Attack {
  /** The id of the attack, with a letter if there are several of its kind. */
  readonly id: string;
  readonly name: string;
  /** Returns the attack at `size` times its smallest size. */
  readonly ask: (size: number) => Asked;
  /** The limit, issue code or part of the message that the error must contain. */
  readonly refusal: { readonly limit?: string; readonly issue?: string; readonly message?: RegExp };
}

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");
const nest = (count: number, open: string, inner: string, close = "}"): string =>
  `${open.repeat(count)}${inner}${close.repeat(count)}`;
const filtered = (filter: unknown): Asked => ({
  query: "query ($filter: BookFilter) { books(filter: $filter) { nodes { id } } }",
  variables: { filter },
});
const notNested = (levels: number): unknown => (levels === 0 ? { title: { eq: "x" } } : { not: notNested(levels - 1) });
const tooManyTokens = { message: /more tha[nt] 2000 tokens/ };

/** Each attack is rejected at size 1. Larger sizes only add input to parse. */
export const ATTACKS: readonly Attack[] = [
  {
    id: "E01",
    name: "a cycle of fragments",
    ask: (size) => ({
      query: `{ ...F0 } ${repeat(15 * size, (n) => `fragment F${n} on Query { __typename ...F${(n + 1) % (15 * size)} }`)}`,
    }),
    refusal: { message: /Cannot spread fragment|root fields|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E02",
    name: "fragments that spread each other twice",
    ask: (size) => ({
      query: `{ ...F0 } ${repeat(30 * size, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)} fragment F${30 * size} on Query { __typename }`,
    }),
    refusal: { message: /root fields|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E02b",
    name: "fragments that spread each other twice, beneath a field",
    ask: (size) => ({
      query: `{ book(id: 1) { ...F0 } } ${repeat(30 * size, (n) => `fragment F${n} on Book { ...F${n + 1} ...F${n + 1} }`)} fragment F${30 * size} on Book { id }`,
    }),
    refusal: { message: /select at most 5000 fields|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E02c",
    name: "a fragment that many operations spread",
    ask: (size) => ({
      query: `${repeat(220 * size, (n) => `query Q${n} { ...Z }`)} fragment Z on Query { ${repeat(8, (n) => `f${n}: books { nodes { id title author { name } } }`)} }`,
    }),
    refusal: { message: /5000 fields in total|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E03",
    name: "one field repeated many times",
    ask: (size) => ({ query: `{ book(id: 1) { ${"title ".repeat(240 * size)} } }` }),
    refusal: { message: /20000 comparisons|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E03b",
    name: "one field in many inline fragments",
    ask: (size) => ({ query: `{ book(id: 1) { ${"... { title } ".repeat(240 * size)} } }` }),
    refusal: { message: /20000 comparisons|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E03c",
    name: "one relation repeated many times",
    ask: (size) => ({ query: `{ book(id: 1) { ${"author { name } ".repeat(240 * size)} } }` }),
    refusal: { message: /20000 comparisons|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E03d",
    name: "the same response key for every field",
    ask: (size) => ({ query: `{ book(id: 1) { ${"a: __typename ".repeat(600 * size)} } }` }),
    refusal: { message: /30 aliases|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E04",
    name: "an expensive root field with many aliases",
    ask: (size) => ({ query: `{ ${repeat(100 * size, (n) => `a${n}: books(first: 100) { totalCount }`)} }` }),
    refusal: { message: /20 root fields|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E04b",
    name: "a mutation with many aliases",
    ask: (size) => ({ query: `mutation { ${repeat(100 * size, (n) => `a${n}: deleteBook(id: ${n}) { deleted }`)} }` }),
    refusal: { message: /20 root fields|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E04c",
    name: "a relation with many aliases",
    ask: (size) => ({ query: `{ book(id: 1) { ${repeat(60 * size, (n) => `a${n}: author { name }`)} } }` }),
    refusal: { limit: "graphql.aliases" },
  },
  {
    id: "E06",
    name: "a cycle of relations",
    ask: (size) => ({ query: nest(50 * size, "{ book: author { books { nodes ", "{ id }", "} } }") }),
    refusal: { limit: "graphql.depth" },
  },
  {
    id: "E06b",
    name: "a cycle of relations within the depth limit of documents",
    ask: () => ({ query: `{ book(id: 1) ${nest(4, "{ author { books { nodes ", "{ id }", "} } }")} }` }),
    refusal: { issue: "too_deep" },
  },
  {
    id: "E07",
    name: "pages of pages of pages",
    ask: () => ({
      query:
        "{ authors(first: 100) { nodes { books(first: 100) { nodes { reviews(first: 100) { nodes { stars } } } } } } }",
    }),
    refusal: { issue: "too_costly" },
  },
  {
    id: "E07b",
    name: "a page that is too large",
    ask: (size) => ({ query: `{ books(first: ${101 * size}) { nodes { id } } }` }),
    refusal: { issue: "out_of_range" },
  },
  {
    id: "E07c",
    name: "a negative page size",
    ask: (size) => ({ query: `{ books(first: ${-size}) { nodes { id } } }` }),
    refusal: { issue: "out_of_range" },
  },
  {
    id: "E07d",
    name: "a page size beyond 32 bits",
    ask: () => ({ query: "{ books(first: 2147483648) { nodes { id } } }" }),
    refusal: { message: /32-bit signed integer/ },
  },
  {
    id: "E08",
    name: "many directives on one field",
    ask: (size) => ({ query: `{ book(id: 1) { title ${"@include(if: true) ".repeat(60 * size)} } }` }),
    refusal: { message: /50 directives|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E08b",
    name: "unknown directives",
    ask: (size) => ({ query: `{ __typename ${"@x ".repeat(500 * size)} }` }),
    refusal: { message: /50 directives|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E09",
    name: "white space",
    ask: (size) => ({ query: `{ __typename ${" ".repeat(70_000 * size)} }` }),
    refusal: { issue: "too_long" },
  },
  {
    id: "E09b",
    name: "comments",
    ask: (size) => ({ query: `{ __typename ${"#\n".repeat(35_000 * size)} }` }),
    refusal: { issue: "too_long" },
  },
  {
    id: "E09c",
    name: "a number with many digits",
    ask: (size) => ({ query: `{ books(first: ${"9".repeat(7_000 * size)}) { nodes { id } } }` }),
    refusal: { message: /32-bit signed integer/ },
  },
  {
    id: "E10",
    name: "selections in selections",
    ask: (size) => ({ query: nest(2_500 * size, "{a", "") }),
    refusal: tooManyTokens,
  },
  {
    id: "E10b",
    name: "lists in lists",
    ask: (size) => ({ query: `{ books(first: ${nest(4_000 * size, "[", "", "]")}) { nodes { id } } }` }),
    // The stack overflows before the token limit is reached.
    refusal: { message: /has a syntax error|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E10c",
    name: "a type of a list of lists",
    ask: (size) => ({ query: `query ($a: ${nest(4_000 * size, "[", "Int", "]")}) { __typename }` }),
    refusal: tooManyTokens,
  },
  {
    id: "E11",
    name: "a list of values",
    ask: (size) => filtered({ id: { in: Array.from({ length: 2_500 * size }, (_, n) => n) } }),
    refusal: { issue: "too_many" },
  },
  {
    id: "E11b",
    name: "nested variables",
    ask: (size) => ({
      ...filtered(undefined),
      variables: { x: JSON.parse(nest(100 * size, "[", "", "]")) as unknown },
    }),
    // On a socket, the message cannot be parsed.
    refusal: { message: /at most 32 levels deep|Invalid message/ },
  },
  {
    id: "E11c",
    name: "errors in variables",
    ask: (size) => ({
      query: "mutation ($input: [CreateBookInput!]!) { createBooks(input: $input) { id } }",
      variables: { input: Array.from({ length: 250 * size }, () => ({ nothing: 1 })) },
    }),
    refusal: { message: /Variable "\$input"/ },
  },
  {
    id: "E12",
    name: "introspection of introspection",
    ask: (size) => ({ query: `{ __schema { types ${nest(10 * size, "{ fields { type ", "{ name }", "} }")} } }` }),
    refusal: { message: /Maximum introspection depth|16 levels deep/ },
  },
  {
    id: "E12b",
    name: "introspection with many aliases",
    ask: (size) => ({ query: `{ ${repeat(40 * size, (n) => `a${n}: __schema { __typename }`)} }` }),
    refusal: { message: /20 root fields|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E13",
    name: "many operations, one of which is selected",
    ask: (size) => ({ query: repeat(500 * size, (n) => `query Q${n} { __typename }`) }),
    refusal: tooManyTokens,
  },
  {
    id: "E13b",
    name: "errors in a document",
    ask: (size) => ({ query: `{ book(id: 1) { ${repeat(150 * size, (n) => `nothing${n}`)} } }` }),
    refusal: { message: /Cannot query field|more tha[nt] 2000 tokens/ },
  },
  {
    id: "E18",
    name: "branches of a filter",
    ask: (size) => filtered({ or: Array.from({ length: 1_000 * size }, () => ({ title: { eq: "x" } })) }),
    refusal: { issue: "too_many" },
  },
  {
    id: "E11d",
    name: "values in unused variables",
    ask: (size) => ({ query: "{ __typename }", variables: { x: Array.from({ length: 20_000 * size }, () => 0) } }),
    refusal: { issue: "too_many" },
  },
  {
    id: "E18b",
    name: "a filter in a filter",
    ask: () => filtered(notNested(20)),
    refusal: { issue: "too_deep" },
  },
  {
    id: "E18c",
    name: "a filter along relations",
    ask: (size) => ({
      query: `{ books(filter: ${nest(10 * size, "{ author: { books: { some: ", '{ title: { eq: "x" } }', "} } }")}) { nodes { id } } }`,
    }),
    refusal: { issue: "too_deep" },
  },
  {
    id: "E19",
    name: "a deep offset",
    ask: (size) => ({ query: `{ books(offset: ${1_000_000 * size}) { nodes { id } } }` }),
    refusal: { issue: "out_of_range" },
  },
];

/** The same limits for subscriptions. */
export const SUBSCRIPTIONS: readonly Attack[] = [
  {
    id: "E06s",
    name: "a cycle of relations",
    ask: (size) => ({
      query: `subscription { bookCreated ${nest(50 * size, "{ author { books { nodes ", "{ id }", "} } }")} }`,
    }),
    refusal: { limit: "graphql.depth" },
  },
  {
    id: "E07s",
    name: "pages of pages of pages",
    ask: () => ({
      query:
        "subscription { bookCreated { author { books(first: 100) { nodes { reviews(first: 100) { nodes { book { title } } } } } } } }",
    }),
    refusal: { issue: "too_costly" },
  },
  {
    id: "E18s",
    name: "a filter in a filter",
    ask: () => ({
      query: "subscription ($filter: BookFilter) { bookCreated(filter: $filter) { id } }",
      variables: { filter: notNested(20) },
    }),
    refusal: { issue: "too_deep" },
  },
];
