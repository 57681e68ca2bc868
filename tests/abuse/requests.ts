/** A REST request that costs the server more work than its client. */
export interface RequestAttack {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly path: (size: number) => string;
  readonly headers?: (size: number) => Readonly<Record<string, string>>;
  /** `round` is a number that makes each text unique. */
  readonly body?: (size: number, round: number) => string;
  readonly status: number;
}

const nest = (count: number, open: string, close: string): string => `${open.repeat(count)}1${close.repeat(count)}`;
const create = (id: string, name: string, status: number, body: RequestAttack["body"]): RequestAttack => ({
  id,
  name,
  status,
  method: "POST",
  path: () => "/authors",
  ...(body === undefined ? {} : { body }),
});
const list = (id: string, name: string, status: number, path: RequestAttack["path"]): RequestAttack => ({
  id,
  name,
  status,
  path,
  method: "GET",
});
const patch = (id: string, name: string, step: (n: number) => object): RequestAttack => ({
  id,
  name,
  status: 400,
  method: "PATCH",
  path: () => "/boxes/1",
  headers: () => ({ "content-type": "application/json-patch+json" }),
  body: (size) => JSON.stringify(Array.from({ length: 110 * size }, (_, n) => step(n))),
});
const members = (count: number, name: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `"${name(n)}":1`).join(",");

/** Each request is rejected at every size. */
export const REQUESTS: readonly RequestAttack[] = [
  create("C07", "lists in lists", 400, (size, round) => `{"id":${round},"name":${nest(20_000 * size, "[", "]")}}`),
  create(
    "C07b",
    "objects in objects",
    400,
    (size, round) => `{"id":${round},"name":${nest(10_000 * size, '{"a":', "}")}}`,
  ),
  create(
    "C08",
    "a number of many digits",
    422,
    (size, round) => `{"id":${round}${"9".repeat(100_000 * size)},"name":"x"}`,
  ),
  create(
    "C09",
    "a name twice, among many",
    400,
    (size, round) =>
      `{"id":${round},"name":[${Array.from({ length: 100 * size }, (_, n) => `{${members(100, (m) => `k${n}_${m}`)}}`).join(",")}],"name":1}`,
  ),
  create(
    "G12",
    "members of one object",
    400,
    (size, round) => `{"id":${round},"name":{${members(8_000 * size, (n) => `k${n}`)}}}`,
  ),
  create(
    "G12b",
    "members that are numbers, far apart",
    400,
    (size, round) => `{"id":${round},"name":{${members(8_000 * size, (n) => String((n * 65_537) % 4_294_967_291))}}}`,
  ),
  create(
    "B04",
    "prototypes, behind escapes",
    400,
    (size, round) => String.raw`{"id":${round},"name":[${"{},".repeat(20_000 * size)}{"\u005f_proto__":1}]}`,
  ),
  create(
    "C12",
    "a NUL at the end of a long text",
    422,
    (size, round) => String.raw`{"id":${round},"name":"${"x".repeat(100_000 * size)}\u0000"}`,
  ),
  create(
    "C12b",
    "half a surrogate pair behind many whole ones",
    422,
    (size, round) => String.raw`{"id":${round},"name":"${"😀".repeat(20_000 * size)}\ud800"}`,
  ),
  create(
    "B01",
    "fields that there are none of",
    422,
    (size, round) => `{"id":${round},${members(100 * size, (n) => `none${n}`)}}`,
  ),
  create("E07", "rows along relations", 400, (size, round) => {
    const book = `{"id":1,"title":"x","reviews":[${Array.from({ length: 60 }, () => "{}").join(",")}]}`;
    return `{"id":${round},"name":"x","books":[${Array.from({ length: 100 * size }, () => book).join(",")}]}`;
  }),
  {
    ...create("E11e", "rows along relations, by one variable many times", 200, (size, round) => {
      const books = `{ id: 1, title: "x", reviews: $v } `.repeat(60);
      const query = `mutation M${round}($v: [CreateBookReviewsInput!]) { createAuthor(input: { id: 1, name: "x", books: [${books}] }) { id } }`;
      return JSON.stringify({
        query,
        variables: { v: Array.from({ length: 200 * size }, () => ({ id: 1, stars: 1 })) },
      });
    }),
    path: () => "/graphql",
  },
  list("C15", "a long id", 404, (size) => `/authors/${"9".repeat(1_500 * size)}`),
  list("C15b", "a long id in percents", 404, (size) => `/authors/${"%41".repeat(500 * size)}`),
  list("E18", "conditions in a URL", 400, (size) => `/authors?${"filter[name][ne]=x&".repeat(50 * size)}wrong=1`),
  list("E18b", "brackets in a URL", 400, (size) => `/authors?filter${"[not]".repeat(150 * size)}[name]=x`),
  list("E11", "values of a list in a URL", 400, (size) => `/authors?${"filter[name][in]=a&".repeat(52 * size)}wrong=1`),
  list("E19", "many fields to sort by", 400, (size) => `/authors?sort=${"name,".repeat(150 * size)}name`),
  list("E19b", "the same field many times", 400, (size) => `/authors?wrong=1&fields=${"name,".repeat(150 * size)}name`),
  list("E06", "a cycle of relations", 400, (size) => `/authors?include=${"books.author.".repeat(60 * size)}books`),
  list("C10", "one parameter many times", 400, (size) => `/authors?${"page[size]=1&".repeat(75 * size)}a=1`),
  list("G03", "a long query string", 414, (size) => `/authors?${"x".repeat(8_193 * size)}`),
  {
    ...list("C11", "many media types", 406, () => "/authors"),
    headers: (size) => ({ accept: "a/b;q=0.1,".repeat(180 * size) + "x/y" }),
  },
  {
    ...list("D11", "many tags", 412, () => "/authors/1"),
    method: "DELETE",
    headers: (size) => ({ "if-match": `${'"a",'.repeat(450 * size)}"b"` }),
  },
  patch("I18", "steps that move a long list", () => ({ op: "move", from: "/list/0", path: "/list/-" })),
  patch("I18b", "steps that move all of it", (n) => ({
    op: "move",
    from: n % 2 === 0 ? "/list" : "/other/list",
    path: n % 2 === 0 ? "/other/list" : "/list",
  })),
  patch("I18c", "copies of a long list", (n) => ({ op: "copy", from: "/list", path: `/other/${n}` })),
  patch("C07c", "places ever deeper", (n) => ({
    op: "add",
    path: `/other${"/x".repeat(Math.min(n, 60) + 1)}`,
    value: {},
  })),
  patch("C07d", "a value in a copy of itself", () => ({ op: "copy", from: "/other", path: "/other/x" })),
  {
    ...create("I11", "a long key", 400, () => '{"id":2,"name":"x"}'),
    headers: (size) => ({ "idempotency-key": `"${"a".repeat(1_800 * size)}"` }),
  },
];
