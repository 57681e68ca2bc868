import { createHash } from "node:crypto";

/** A request of an anonymous client. */
export interface FloodRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Flood {
  /** Requests that exceed the server's caches many times. */
  readonly count: number;
  /** The status of each response. */
  readonly status: number;
  readonly request: (n: number) => FloodRequest;
}

const graphql = (body: object, headers: Readonly<Record<string, string>> = {}): FloodRequest => ({
  method: "POST",
  path: "/graphql",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
const from = (n: number): Readonly<Record<string, string>> => ({ "x-forwarded-for": addressOf(n) });

/** Fields of books and their authors: some 600 tokens. */
const LARGE = repeat(
  10,
  (root) => `r${root}: books(first: 2, offset: ${root}) { nodes { id author { ${repeat(20, () => "id name")} } } }`,
);

/**
 * Requests whose text is different each time, one kind for each place that stores something under a key from a client.
 * Add one for every cache, counter or registry whose keys clients choose.
 */
export const FLOODS: Readonly<Record<string, Flood>> = {
  "documents with unknown fields": {
    count: 2_500,
    status: 200,
    request: (n) => graphql({ query: `{books{nodes{${repeat(20, (field) => `z${(n * 20 + field).toString(36)}`)}}}}` }),
  },
  "documents that cannot be parsed": {
    count: 2_000,
    status: 200,
    request: (n) => graphql({ query: `{ books { nodes { id } } ${n} ${"x ".repeat(500)}` }),
  },
  "small valid documents": { count: 3_000, status: 200, request: (n) => graphql({ query: `{ a${n}: __typename }` }) },
  "large valid documents, twice each": {
    count: 2_000,
    status: 200,
    request: (n) => graphql({ query: `query Q${n >> 1} { ${LARGE} }` }),
  },
  "documents with subscriptions": {
    count: 2_000,
    status: 406,
    request: (n) => graphql({ query: `subscription S${n} { bookUpdated { ${repeat(100, () => "id title")} } }` }),
  },
  "variables that decide and place": {
    count: 2_000,
    status: 200,
    request: (n) => {
      const declared = repeat(8, (index) => `$c${index}: Boolean!`);
      const skipped = repeat(8, (index) => `a${index}: id @skip(if: $c${index})`);
      const query = `query ($t: String, ${declared}) { books { nodes { ${skipped} author { ${repeat(50, () => "id name")} books(filter: { title: { eq: $t } }) { nodes { id } } } } } }`;
      const decisions = Array.from({ length: 8 }, (_, index) => [`c${index}`, ((n >> index) & 1) === 1]);
      return graphql({ query, variables: { t: `t${n}`, ...Object.fromEntries(decisions) } });
    },
  },
  "automatic persisted documents": {
    count: 3_000,
    status: 200,
    request: (n) => {
      const query = `{ a${n}: __typename } # ${"x".repeat(2_000)}`;
      const sha256Hash = createHash("sha256").update(query).digest("hex");
      return graphql({ query, extensions: { persistedQuery: { version: 1, sha256Hash } } });
    },
  },
  "lists of REST": {
    count: 3_000,
    status: 200,
    request: (n) => ({
      path: `/books?filter[title][contains]=${n}&include=author,author.books&rel[author.books][sort]=-id&sort=-id,title&fields=id,title&${repeat(
        5,
        (index) => `filter[or][${index}][title]=x${n}`,
      ).replaceAll(" ", "&")}`,
    }),
  },
  "keys that nobody has": {
    count: 2_000,
    status: 401,
    request: (n) => ({ path: "/books", headers: { "x-api-key": String(n).padStart(28, "0") } }),
  },
  "addresses that resume": {
    count: 3_000,
    status: 200,
    request: (n) =>
      graphql(
        { query: 'subscription { bookUpdated(after: "x") { id } }' },
        { ...from(n), accept: "text/event-stream" },
      ),
  },
  "addresses that reserve an event stream": {
    count: 3_000,
    status: 201,
    request: (n) => ({ method: "PUT", path: "/graphql", headers: from(n) }),
  },
};
