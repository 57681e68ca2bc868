import fc from "fast-check";
import { MADE, WRITTEN } from "./view.ts";
import type { World } from "./world.ts";

/** One request of P, in either style. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly accept?: string;
}

const small = fc.integer({ min: 0, max: 2 });
const id = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 7 }) },
  { weight: 1, arbitrary: fc.integer({ min: 498, max: 510 }) },
);
const condition = fc.oneof(
  fc
    .tuple(fc.constantFrom("color", "size", "price", "id", "boxId"), fc.constantFrom("eq", "gt", "ne"), small)
    .map(([f, o, v]) => `[${f}][${o}]=${v}`),
  fc.tuple(fc.constantFrom("box", "not", "box.box"), small).map(([name, v]) => `[${name}][color]=${v}`),
  fc
    .tuple(
      fc.constantFrom("items", "box.items"),
      fc.constantFrom("some", "every", "none"),
      fc.constantFrom("color", "price", "size"),
      small,
    )
    .map(([r, q, f, v]) => `[${r}][${q}][${f}]=${v}`),
  fc.constantFrom("some", "every", "none").map((quantifier) => `[notes][${quantifier}][text]=n`),
);
const part = fc.oneof(
  condition.map((text) => `filter${text}`),
  fc.constantFrom("sort=color", "sort=-size", "sort=price", "sort=box.color", "sort=box.price"),
  fc.constantFrom("count=true", "page[size]=1", "page[size]=2", "page[offset]=1"),
  fc.constantFrom("include=box", "include=items", "include=notes,box.items", "fields=id,price", "fields=id,color"),
  fc.constantFrom("rel[items][sort]=-color&include=items", "rel[items][page][size]=1&include=items"),
);
const query = fc
  .array(part, { maxLength: 3 })
  .map((parts) => [...new Map(parts.map((one) => [one.split("=")[0], one])).values()].join("&"));
const accept = fc.constantFrom(
  "application/json",
  "application/vnd.api+json",
  "application/hal+json",
  "text/csv",
  "application/x-ndjson",
  "application/xml",
  "text/html",
);

const rest: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({ method: fc.constantFrom("GET", "HEAD"), url: query.map((text) => `/rows?${text}`), accept }),
  fc.record({
    method: fc.constant("GET"),
    url: fc.tuple(id, fc.option(query)).map(([one, text]) => (text === null ? `/rows/${one}` : `/rows/${one}?${text}`)),
    accept,
  }),
  fc.record({ method: fc.constant("GET"), url: id.map((one) => `/rows/${one}/items?count=true`) }),
  fc.record({
    method: fc.constant("GET"),
    url: fc.constantFrom("/notes", "/notes?include=row&sort=text", "/notes?filter[row][color]=1"),
  }),
);

const global = (one: number): string => Buffer.from(`Row:${one}`).toString("base64url");
const document = (text: string, variables: object = {}): Asked => ({
  method: "POST",
  url: "/graphql",
  body: { query: text, variables },
});
const graphql: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .record({ by: fc.constantFrom("COLOR_ASC", "SIZE_DESC", "PRICE_ASC"), first: fc.integer({ min: 1, max: 4 }) })
    .map(({ by, first }) =>
      document(
        `{ rows(sort: [${by}], first: ${first}) { totalCount pageInfo { hasNextPage endCursor } nodes { id color price box { id price } items { totalCount nodes { id } } } } }`,
      ),
    ),
  fc
    .tuple(fc.constantFrom("some", "every", "none"), small)
    .map(([quantifier, value]) =>
      document(
        `{ rows(filter: { items: { ${quantifier}: { color: { eq: ${value} } } } }) { totalCount nodes { id notes { nodes { text } } } } }`,
      ),
    ),
  fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) =>
    document("query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Row { color box { color } } } }", {
      ids: ids.map(global),
    }),
  ),
  id.map((one) => document("query ($id: ID!) { row(id: $id) { id price } node(id: $id) { id } }", { id: global(one) })),
);

const code = fc.option(fc.integer({ min: 0, max: 9 }));
const made = fc.record({ boxId: fc.option(id), code }).map((more) => ({ ...MADE, ...more }));
const write: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .tuple(id, fc.oneof(fc.constant(WRITTEN), fc.constant(MADE), fc.record({ boxId: fc.option(id) })))
    .map(([one, body]) => ({ method: "PATCH", url: `/rows/${one}`, body })),
  fc
    .tuple(id, small)
    .map(([one, color]) => ({ method: "PATCH", url: `/rows?filter[color]=${color}&filter[id]=${one}`, body: WRITTEN })),
  fc.tuple(id, id).map(([one, box]) => ({ method: "PATCH", url: `/rows/${one}`, body: { ...WRITTEN, nothing: box } })),
  made.map((body) => ({ method: "POST", url: "/rows", body })),
  fc.tuple(made, made).map((body) => ({ method: "POST", url: "/rows", body })),
  id.map((one) => ({ method: "PUT", url: `/rows/${one}`, body: { ...MADE, price: 0 } })),
  id.map((one) => ({ method: "DELETE", url: `/rows/${one}` })),
  small.map((color) => ({ method: "DELETE", url: `/rows?filter[color]=${color}` })),
  id.map((one) =>
    document("mutation ($id: ID!) { updateRow(id: $id, input: { size: 2 }) { id size price } }", { id: global(one) }),
  ),
  id.map((one) => document("mutation ($id: ID!) { deleteRow(id: $id) { id } }", { id: global(one) })),
  made.map((input) =>
    document("mutation ($input: RowCreate!) { createRow(input: $input) { id color box { id } } }", {
      input: { ...input, boxId: input.boxId === null ? null : global(input.boxId) },
    }),
  ),
);

export function isWrite({ method, url, body }: Asked): boolean {
  return !["GET", "HEAD"].includes(method) && (url !== "/graphql" || JSON.stringify(body).includes("mutation"));
}

/** What P asks, writes among it. */
export const requests: fc.Arbitrary<readonly Asked[]> = fc
  .tuple(
    fc.array(fc.oneof(rest, graphql), { minLength: 3, maxLength: 8 }),
    fc.option(write, { freq: 3 }),
    fc.array(rest, { maxLength: 2 }),
    fc.option(write),
  )
  .map(([before, first, after, last]) => [...before, first, ...after, last].filter((one) => one !== null));

/** What there is to compare of an answer. */
export interface Answered {
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Every byte of the answer. */
export async function answer(
  { api }: World,
  { method, url, body, accept: type = "application/json" }: Asked,
): Promise<Answered> {
  const response = await api.handle(toRequest(method, url, body, type, new AbortController().signal));
  if (response === null) throw new Error(`${url} is none of the API.`);
  const { status, headers } = response;
  let text = "";
  if (typeof response.body === "string") text = response.body;
  else if (response.body instanceof Uint8Array) text = new TextDecoder().decode(response.body);
  else if (response.body !== null) for await (const piece of response.body) text += piece;
  return { asked: `${method} ${url}`, status, headers, text };
}

type Request = Parameters<World["api"]["handle"]>[0];

export function toRequest(method: string, url: string, body: unknown, type: string, signal: AbortSignal): Request {
  const [path = "", search = ""] = url.split("?");
  const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
  const content = body === undefined ? {} : { "content-type": "application/json" };
  return {
    method,
    path,
    query: search,
    prefix: "",
    headers: { authorization: "Bearer p", accept: type, ...content },
    body: () => Promise.resolve(bytes),
    signal,
    raw: undefined,
  };
}
