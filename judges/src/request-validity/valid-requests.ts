import { ADMIN } from "../bookstore.ts";
import type { Sent } from "../requests.ts";
import type { Outcome } from "./prism-proxies.ts";

/** Sends a request that must be valid and returns the response. */
export type SendValid = (request: Sent) => Promise<Outcome>;

export const MEDIA = {
  json: "application/json",
  mergePatch: "application/merge-patch+json",
  jsonPatch: "application/json-patch+json",
  jsonApi: "application/vnd.api+json",
} as const;

export const IDS = {
  book: "b0000000-0000-4000-8000-000000000001",
  author: "a0000000-0000-4000-8000-000000000001",
} as const;

export function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  type: string = MEDIA.json,
): Sent {
  const own = { authorization: `Bearer ${ADMIN}`, ...headers };
  if (body === undefined) return { method, path, headers: own };
  return { method, path, headers: { "content-type": type, ...own }, body: JSON.stringify(body) };
}

interface Sample {
  readonly path: string;
  readonly key: string;
  readonly create: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
  /** A field that a patch sets, and what it sets it to. */
  readonly field: string;
  readonly value: unknown;
  readonly query: readonly string[];
}

const toAuthor = { author: { data: { type: "authors", id: IDS.author } } };
const toBook = (id: string): object => ({ book: { data: { type: "books", id } } });

function samplesOf(book: string): readonly Sample[] {
  return [
    {
      path: "/authors",
      key: "id",
      create: { name: "Valid", email: "valid@example.com", bio: null, born: "1900-01-31" },
      field: "name",
      value: "Valid again",
      query: [
        "filter[born][between]=1700-01-01&filter[born][between]=1900-12-31",
        "filter[name][icontains]=a&sort=-born,name&include=books",
      ],
    },
    {
      path: "/books",
      key: "id",
      create: { title: "Valid", authorId: IDS.author, genre: "novel", price: 1.5, publishedAt: "2020-01-31" },
      relationships: toAuthor,
      field: "price",
      value: 2,
      query: [
        "filter[title][icontains]=e&sort=-price,title&count=true",
        "filter[price][gte]=10&filter[price][lte]=20&page[size]=2&page[offset]=1",
        "filter[genre][in]=novel&filter[genre][in]=poem",
        "filter[publishedAt][isNull]=true",
        "fields=id,title,author.name&include=reviews,tags",
        "include=author&rel[reviews][page][size]=1&fields=title,reviews.stars",
      ],
    },
    {
      path: "/reviews",
      key: "id",
      create: { bookId: book, reviewer: "admin", stars: 4, text: "Good." },
      relationships: toBook(book),
      field: "stars",
      value: 5,
      query: ["filter[stars][gte]=3&sort=-stars&include=book", "filter[createdAt][gt]=2000-01-01T00:00:00Z"],
    },
    {
      path: "/tags",
      key: "slug",
      create: { slug: "valid", name: "Valid" },
      field: "name",
      value: "Valid again",
      query: ["filter[slug][startsWith]=c&sort=name&fields=name"],
    },
    {
      path: "/users",
      key: "id",
      create: { id: "valid-user", name: "Valid", email: null, role: "reader", shopId: "harbor", active: true },
      field: "name",
      value: "Valid again",
      query: ["filter[role][eq]=admin&sort=-name&page[size]=1"],
    },
  ];
}

/** Sends valid requests for every operation that the bookstore allows an admin to use. */
export async function sendValidRequests(send: SendValid): Promise<void> {
  const get = (path: string, headers?: Record<string, string>): Promise<Outcome> =>
    send(request("GET", path, undefined, headers));
  const made = async (path: string, body: object): Promise<string> => {
    const { text } = await send(request("POST", path, body));
    return String((JSON.parse(text) as { id: unknown }).id);
  };
  for (const path of ["/", "/openapi.json", "/client.json", "/api-keys"]) await get(path);
  await get("/books?fields[books]=title&fields[authors]=name&include=author", { accept: MEDIA.jsonApi });
  await send(request("POST", "/users/admin/token"));
  const book = await made("/books", { title: "Reviewed", authorId: IDS.author, genre: "poem", price: 3 });
  for (const sample of samplesOf(book)) await sendForResource(send, sample);
  await sendForRelations(send, book);
  await sendForSales(send);
  for (const query of [
    "aggregate=count,avg.price",
    "aggregate=count,max.publishedAt&group=genre&having[count][gte]=2&sort=-count",
  ])
    await get(`/books/aggregate?${query}`);
  await get("/reviews/aggregate?aggregate=count,avg.stars&group=createdAt.year");
  await get("/books/trending?year=1974&sort=title");
  await send(request("POST", "/books", [{ title: "One", authorId: IDS.author, genre: "essay", price: 1 }]));
  await send(request("PATCH", "/books?filter[title]=One", { price: 2 }));
  await send(
    request(
      "PATCH",
      "/books?filter[title][eq]=One",
      { price: 3 },
      { prefer: "return=representation" },
      MEDIA.mergePatch,
    ),
  );
  await send(request("DELETE", "/books?filter[title][eq]=One"));
  await send(request("POST", `/books/${book}/publish`, { at: "2026-01-01" }));
  await send(request("POST", "/books/discount", { genre: "drama", percent: 10 }));
  await send(request("DELETE", `/books/${book}`, undefined, { prefer: "return=minimal" }));
}

async function sendForResource(send: SendValid, sample: Sample): Promise<void> {
  const { path, key, create, relationships, field, value, query } = sample;
  for (const search of ["", ...query.map((text) => `?${text}`)]) await send(request("GET", path + search));
  const { text } = await send(
    request("POST", path, create, { "idempotency-key": `"valid-${path.slice(1)}"`, prefer: "return=representation" }),
  );
  const id = String((JSON.parse(text) as Record<string, unknown>)[key]);
  const item = `${path}/${id}`;
  const withoutKey = Object.fromEntries(Object.entries(create).filter(([name]) => name !== key));
  const versioned = async (): Promise<Record<string, string>> => {
    const etag = (await send(request("GET", item))).headers.get("etag");
    if (etag === null) throw new Error(`GET ${item} returns no ETag.`);
    return { "if-match": etag };
  };
  await send(request("GET", `${item}?fields=${field}`));
  await send(request("PUT", item, path === "/users" ? withoutKey : create, await versioned()));
  await send(request("PATCH", item, { [field]: value }, await versioned()));
  await send(request("PATCH", item, { [field]: value }, {}, MEDIA.mergePatch));
  await send(request("PATCH", item, [{ op: "replace", path: `/${field}`, value }], {}, MEDIA.jsonPatch));
  const type = path.slice(1);
  const resource = (attributes: object, related?: object): object => ({
    data: { type, id, attributes, ...(related === undefined ? {} : { relationships: related }) },
  });
  await send(request("PATCH", item, resource({ [field]: value }), {}, MEDIA.jsonApi));
  const related = new Set(Object.keys(relationships ?? {}).map((name) => `${name}Id`));
  const attributes = Object.fromEntries(Object.entries(create).filter(([name]) => name !== key && !related.has(name)));
  await send(request("PUT", item, resource(attributes, relationships), {}, MEDIA.jsonApi));
  await send(request("DELETE", item, undefined, await versioned()));
  const { [key]: clientId } = create;
  const again = {
    data: {
      type,
      ...(clientId === undefined ? {} : { id: clientId }),
      attributes,
      ...(relationships === undefined ? {} : { relationships }),
    },
  };
  const { headers } = await send(request("POST", path, again, { accept: MEDIA.jsonApi }, MEDIA.jsonApi));
  await send(request("DELETE", new URL(headers.get("location") ?? "", "http://bookstore").pathname));
}

async function sendForRelations(send: SendValid, book: string): Promise<void> {
  const author = `/authors/${IDS.author}`;
  const lists = [`${author}/books`, `/books/${IDS.book}/reviews`, `/books/${IDS.book}/tags`, "/tags/classic/books"];
  for (const path of lists) {
    await send(request("GET", `${path}?page[size]=1&count=true`));
    await send(request("GET", `${path.replace(/\/(\w+)$/, "/relationships/$1")}?page[size]=1`));
  }
  for (const path of [`/books/${IDS.book}/author`, `/books/${IDS.book}/relationships/author`])
    await send(request("GET", path));
  await send(request("POST", `${author}/books`, { title: "Inside", genre: "novel", price: 1 }));
  await send(request("DELETE", "/books?filter[title]=Inside"));
  const { text } = await send(request("POST", `/books/${book}/reviews`, { reviewer: "admin", stars: 3, text: null }));
  const { id: review } = JSON.parse(text) as { id: string };
  for (const path of [`/reviews/${review}/book`, `/reviews/${review}/relationships/book`])
    await send(request("GET", path));
  const link = { data: { type: "books", id: book } };
  await send(request("PATCH", `/reviews/${review}/relationships/book`, link, {}, MEDIA.jsonApi));
  await send(request("DELETE", `/reviews/${review}`));
  await send(request("POST", `/reviews/${review}/restore`));
  const tags = { data: [{ type: "tags", id: "classic" }] };
  await send(request("PATCH", `/books/${book}/relationships/tags`, tags, {}, MEDIA.jsonApi));
  const toAuthorOf = { data: { type: "authors", id: IDS.author } };
  await send(request("PATCH", `/books/${book}/relationships/author`, toAuthorOf, {}, MEDIA.jsonApi));
  for (const [from, to, type] of [
    [`/books/${book}`, "classic", "tags"],
    ["/tags/classic", book, "books"],
  ] as const) {
    for (const method of ["POST", "DELETE"]) {
      await send(request(method, `${from}/relationships/${type}`, { data: [{ type, id: to }] }, {}, MEDIA.jsonApi));
    }
    for (const method of ["PUT", "DELETE"]) await send(request(method, `${from}/${type}/${to}`));
  }
}

async function sendForSales(send: SendValid): Promise<void> {
  const get = (path: string): Promise<Outcome> => send(request("GET", path));
  const { text } = await send(request("POST", "/sales", { bookId: IDS.book, quantity: 2, total: "19.98" }));
  const { id } = JSON.parse(text) as { id: string };
  const sale = `/sales/${id}`;
  await send(request("PATCH", sale, { quantity: 3, total: "29.97" }));
  const toBookOf = { data: { type: "books", id: IDS.book } };
  await send(request("PATCH", `${sale}/relationships/book`, toBookOf, {}, MEDIA.jsonApi));
  await get("/sales?filter[total][gte]=10&sort=-total&include=book");
  await get("/sales/aggregate?aggregate=count,sum.total&group=book.genre");
  for (const name of ["", "/shop", "/book", "/history"]) await get(sale + name);
  for (const name of ["shop", "book", "history"]) await get(`${sale}/relationships/${name}`);
  await get("/shops?filter[city][eq]=Rotterdam&sort=name");
  for (const path of ["", "/sales", "/relationships/sales"]) await get(`/shops/harbor${path}`);
  for (const path of ["/specialty-tag", "/relationships/specialty-tag"]) await get(`/shops/old-town${path}`);
  const shop = { data: { type: "shops", id: "harbor" } };
  await send(request("PATCH", "/users/reader/relationships/shop", shop, {}, MEDIA.jsonApi));
  for (const path of ["/shop", "/relationships/shop"]) await get(`/users/reader${path}`);
}
