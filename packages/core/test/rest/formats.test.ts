import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, memoryStore } from "../../src/index.ts";
import { type Format, rowToJson } from "../../src/formats.ts";
import { answerText } from "../answer.ts";
import { send } from "../request.ts";
import { AS_ANN, createLibrary } from "./library.ts";

const api = createLibrary();
const get = (url: string, accept: string, headers = {}): ReturnType<typeof answerText> =>
  answerText(api, "GET", url, { headers: { accept, ...headers } });

test.each<[string, string, string | undefined]>([
  ["/books", "*/*", "application/json; charset=utf-8"],
  ["/books", "text/csv", "text/csv; charset=utf-8; header=present"],
  ["/books", "application/x-ndjson", "application/x-ndjson"],
  ["/books", "application/xml", "application/xml; charset=utf-8"],
  ["/books", "text/csv;q=0.5, application/xml;q=0.9", "application/xml; charset=utf-8"],
  ["/books", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"],
  ["/books", "application/*", "application/json; charset=utf-8"],
  ["/books", "application/*;q=0.1, application/hal+json", "application/hal+json"],
  ["/books", "application/json;q=0, */*", "application/x-ndjson"],
  ["/books", "application/json; charset=utf-8", "application/json; charset=utf-8"],
  ["/books", "application/vnd.api+json", "application/vnd.api+json"],
  ["/books", 'application/vnd.api+json; profile="https://example.com/p"', "application/vnd.api+json"],
  ["/books", "application/vnd.api+json; charset=utf-8", undefined],
  ["/books", 'application/vnd.api+json; ext="https://example.com/e"', undefined],
  ["/books", "image/png", undefined],
  ["/books", "text/csv;q=0", undefined],
  ["/books/1", "text/csv", undefined],
  ["/books/1", "text/csv, application/json;q=0.1", "application/json; charset=utf-8"],
  ["/books/1", "application/hal+json", "application/hal+json"],
])("%s by %s", async (url, accept, type) => {
  const answer = await get(url, accept);
  const refused = [406, "application/problem+json"];
  expect([answer.status, answer.headers["Content-Type"]]).toEqual(type === undefined ? refused : [200, type]);
  // The rejection lists the available types.
  const offered = url === "/books" ? "text/csv" : "application/hal+json";
  expect(type !== undefined || answer.text.includes(offered)).toBe(true);
});

test("writes CSV by RFC 4180, without formulas", async () => {
  const { text, headers } = await get("/books?fields=id,title,price,words,author.name&sort=id", "text/csv");
  expect(headers["Content-Disposition"]).toBe('attachment; filename="books.csv"');
  expect(text).toBe(
    [
      "id,title,price,words,author.name",
      '1,Emma,10,"[""match""]",Austen',
      "2,'=1+1,7.5,[],Austen",
      '3,"A ""B"", C\n",3,"[""x"",""y""]",',
      "",
    ].join("\r\n"),
  );
  const rows: unknown = parse(text, { columns: true });
  expect(rows).toMatchObject([{ id: "1" }, { title: "'=1+1" }, { title: 'A "B", C\n' }]);
});

const thing = defineResource("thing", {
  fields: { id: z.int32(), text: z.string().nullable(), json: z.json() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const anyText = fc.string({ unit: "binary", maxLength: 12 }).filter((text) => !/\p{Surrogate}/u.test(text));

const STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "\0", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"];

test.each(STARTS)("prefixes a cell that starts with %j, and readers get the text", async (start) => {
  const text = `${start}cmd|' /C calc'!A0`;
  const data = { thing: [{ id: 1, text, json: [text] }] };
  const things = defineApi({ resources: [thing], store: memoryStore({ data }) });
  const table = await answerText(things, "GET", "/things?fields=id,text,json", { headers: { accept: "text/csv" } });
  const [head, row] = parse(table.text);
  expect(head).toEqual(["id", "text", "json"]);
  expect(row).toEqual(["1", `'${text}`, JSON.stringify([text])]);
});

test("writes a text of many quotes as CSV within linear time", async () => {
  const text = `;${'"'.repeat(400_000)}`;
  const store = memoryStore({ data: { thing: [{ id: 1, text, json: null }] } });
  const things = defineApi({ resources: [thing], store });
  const table = await answerText(things, "GET", "/things?fields=id,text", { headers: { accept: "text/csv" } });
  expect(parse(table.text)[1]).toEqual(["1", text]);
});

test.each([
  ["a;=1+1", "a;'=1+1"],
  ["a\t=1+1", "a\t'=1+1"],
  ["a\r\n@x", "a\r\n'@x"],
  ["a\n-1+1", "a\n'-1+1"],
  ['a;"=1+1', "a;\"'=1+1"],
  ["a;\0+1", "a;\0'+1"],
  ["a;\t\uFF1D1", "a;\t'\uFF1D1"],
  ["\t=1;-1", "'\t'=1;'-1"],
])("writes %j as %j, because spreadsheets may split cells at other characters than commas", async (text, written) => {
  const things = defineApi({
    resources: [thing],
    store: memoryStore({ data: { thing: [{ id: 1, text, json: null }] } }),
  });
  const table = await answerText(things, "GET", "/things?fields=id,text", { headers: { accept: "text/csv" } });
  expect(parse(table.text)).toEqual([
    ["id", "text"],
    ["1", written],
  ]);
  // A reader that ignores quotes, and splits lines and cells at these characters, finds no formula.
  expect(table.text.split(/[;\t\r\n]/).filter((cell) => /^["\0]*[=+\-@\uFF1D]/.test(cell))).toEqual([]);
});

test("adds no apostrophe to other text or to numbers", async () => {
  const texts = ["a=1", "'=1", " =1", "1-1", "a - b", "a; b", "a;b-c", "a\r\nb", "a\tb", "\u00A0", "\u2212x", "-1"];
  const data = { thing: texts.map((text, id) => ({ id: id - 3, text, json: -1 })) };
  const things = defineApi({ resources: [thing], store: memoryStore({ data }) });
  const table = await answerText(things, "GET", "/things?fields=id,text,json", { headers: { accept: "text/csv" } });
  const [, ...rows] = parse(table.text);
  expect(rows).toEqual(texts.map((text, id) => [`${id - 3}`, text === "-1" ? "'-1" : text, "-1"]));
});

test.each(["=x", "+x", "@x", "\uFF1Dx"])(
  "rejects %j as a field name, because its header cell would be a formula",
  (name) => {
    const fields = { id: z.int32(), [name]: z.string() };
    const access = { read: allow, create: allow, update: allow, delete: allow };
    expect(() => defineApi({ resources: [defineResource("odd", { fields, access })] })).toThrow(name);
  },
);

/** Removes the apostrophes that prevent formulas. A text of a user can contain the same ones. */
function withoutApostrophes(text: string): string {
  return text.replace(/^'+(?=[=+\-@\t\r\n\0＝＋－＠])|(?<=[;\t\r\n]["\0]*)'+(?=[=+\-@＝＋－＠])/g, "");
}

test("any text survives CSV and XML", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(anyText), { minLength: 1, maxLength: 5 }), async (texts) => {
      const data = { thing: texts.map((text, id) => ({ id, text, json: { [text ?? "x"]: [text] } })) };
      const things = defineApi({ resources: [thing], store: memoryStore({ data }) });
      const table = await answerText(things, "GET", "/things?fields=id,text", { headers: { accept: "text/csv" } });
      const rows = parse(table.text, { columns: true, relaxQuotes: false }) as { text: string }[];
      // This reader drops quotes, so it can't distinguish null from an empty text.
      expect(rows.map(({ text }) => withoutApostrophes(text))).toEqual(
        texts.map((text) => withoutApostrophes(text ?? "")),
      );
      const document = await answerText(things, "GET", "/things", { headers: { accept: "application/xml" } });
      expect(XMLValidator.validate(document.text)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("writes an XML element for each member, and only valid XML characters", async () => {
  const { text } = await get("/books/3?include=author,tags", "application/xml");
  expect(XMLValidator.validate(text)).toBe(true);
  const { book } = new XMLParser({ ignoreAttributes: false }).parse(text) as { book: Record<string, unknown> };
  expect(book).toMatchObject({
    id: 3,
    title: 'A "B", C',
    words: { item: ["x", "y"] },
    author: { "@_xsi:nil": "true" },
  });
  const problem = await get("/books/77", "application/xml");
  expect([problem.status, problem.headers["Content-Type"]]).toEqual([404, "application/problem+xml; charset=utf-8"]);
  expect(new XMLParser().parse(problem.text)).toMatchObject({ problem: { status: 404, code: "NOT_FOUND" } });
});

test("HAL links rows to themselves and along relations, and embeds included rows", async () => {
  const { text } = await get(
    "/books?sort=id&page[size]=1&count=true&include=author&fields=title,author.name",
    "application/hal+json",
  );
  expect(JSON.parse(text)).toEqual({
    _links: {
      self: { href: "/books?sort=id&page[size]=1&count=true&include=author&fields=title,author.name" },
      first: { href: expect.any(String) },
      next: { href: expect.stringContaining("page%5Bafter%5D=") },
    },
    total: 3,
    totalIsExact: true,
    _embedded: {
      books: [
        {
          title: "Emma",
          _links: {
            self: { href: "/books/1" },
            author: { href: "/books/1/author" },
            tags: { href: "/books/1/tags" },
          },
          _embedded: { author: expect.objectContaining({ name: "Austen", _links: expect.any(Object) }) },
        },
      ],
    },
  });
});

test("NDJSON writes one row per line", async () => {
  const { text } = await get("/books?sort=id&include=author", "application/x-ndjson", AS_ANN);
  const lines = text.trimEnd().split("\n");
  const whole = await get("/books?sort=id&include=author", "application/json", AS_ANN);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(JSON.parse(whole.text));
});

test("streams a complete list without page parameters, and returns a page with them", async () => {
  const rows = Array.from({ length: 1_234 }, (_, id) => ({ id, text: `t${id}`, json: null }));
  const things = defineApi({ resources: [thing], store: memoryStore({ data: { thing: rows } }) });
  for (const accept of ["text/csv", "application/x-ndjson"]) {
    const lines = async (url: string): Promise<number> =>
      (await answerText(things, "GET", url, { headers: { accept } })).text.trimEnd().split("\n").length;
    const head = accept === "text/csv" ? 1 : 0;
    expect(await lines("/things")).toBe(1_234 + head);
    expect(await lines("/things?page[size]=7")).toBe(7 + head);
    const counted = await answerText(things, "HEAD", "/things?count=true", { headers: { accept } });
    expect([counted.headers["Total-Count"], counted.text]).toEqual(["1234", ""]);
  }
});

test("applies rules in every format", async () => {
  for (const accept of [
    "application/json",
    "text/csv",
    "application/x-ndjson",
    "application/xml",
    "application/hal+json",
    "application/vnd.api+json",
    "text/html",
  ]) {
    const anonymous = await get("/authors", accept);
    expect([accept, anonymous.text.includes("jane@example.com")]).toEqual([accept, false]);
    expect([accept, (await get("/authors?page[size]=5", accept, AS_ANN)).text.includes("jane@example.com")]).toEqual([
      accept,
      true,
    ]);
    expect([accept, (await get("/tags", accept)).text.includes("Hidden")]).toEqual([accept, false]);
    expect([accept, (await get("/authors?fields=email", accept)).status]).toEqual([accept, 403]);
  }
});

test("an HTML page shows missing values, but no column that its caller can't read", async () => {
  const [hidden, none] = ["hidden<", 'title="no value"'];
  const anonymous = (await get("/authors", "text/html")).text;
  expect([anonymous.includes(hidden), anonymous.includes(none)]).toEqual([false, false]);
  const { text } = await get("/books", "text/html", AS_ANN);
  expect([text.includes(hidden), text.includes(none)]).toEqual([false, true]);
});

test("a format is one object, and can be disabled", async () => {
  const shout: Format = {
    mediaType: "text/x-shout",
    item: ({ row }) => JSON.stringify(rowToJson(row)).toUpperCase(),
    list: ({ rows }) => rows.map(({ id }) => id).join("!"),
    parse: (body) => ({ id: 40, title: typeof body === "string" ? body.toLowerCase() : "", price: 1 }),
  };
  const own = createLibrary({ formats: [shout] });
  const headers = { accept: "text/x-shout" };
  expect((await answerText(own, "GET", "/books?sort=id", { headers })).text).toBe("1!2!3");
  expect((await answerText(own, "GET", "/books/1?fields=title", { headers })).text).toBe('{"TITLE":"EMMA"}');
  const made = await answerText(own, "POST", "/books", {
    text: 'title: "HEY',
    headers: { "content-type": "text/x-shout" },
  });
  expect([made.status, JSON.parse(made.text)]).toEqual([201, expect.objectContaining({ title: 'title: "hey' })]);
  expect((await answerText(own, "GET", "/books", { headers: { accept: "text/csv" } })).status).toBe(406);
});

test("HAL: a relation named self doesn't replace the row's own link", async () => {
  const page = defineResource("page", {
    fields: { id: z.int32(), selfId: z.int32().nullable() },
    relations: { self: belongsTo("page", "selfId") },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  const api = defineApi({ resources: [page], store: memoryStore({ data: { page: [{ id: 1, selfId: null }] } }) });
  const { body } = await send(api, "GET", "/pages/1", { headers: { accept: "application/hal+json" } });
  expect(body).toMatchObject({ _links: { self: { href: "/pages/1" } } });
});

test("applies the body limits to input of custom formats", async () => {
  const deep: Format = { mediaType: "text/x-deep", parse: (body) => ({ json: nest(Number(body)) }) };
  const like: Format = { mediaType: "application/x-like+json", parse: (body) => ({ json: body }) };
  const things = defineApi({ resources: [thing], formats: [deep, like], limits: { http: { jsonDepth: 8 } } });
  const send = (type: string, text: string): ReturnType<typeof answerText> =>
    answerText(things, "PUT", "/things/1", { text, headers: { "content-type": type } });
  expect((await send("text/x-deep", "50")).text).toContain("The body can be nested at most 8 levels deep.");
  expect((await send("text/x-deep", "")).text).toContain("The body is missing.");
  expect((await send("application/x-like+json", "a: 1")).text).toContain("The body is not valid JSON");
});

function nest(depth: number): unknown {
  return depth === 0 ? null : [nest(depth - 1)];
}

test("rejects a field with a name that a format reserves", () => {
  const row = defineResource("row", {
    fields: { id: z.int32(), _links: z.string(), _embedded: z.string() },
    access: { read: allow, create: allow, update: allow, delete: allow },
  });
  expect(() => defineApi({ resources: [row] })).toThrow(
    /row\.fields\._links: 'application\/hal\+json' reserves the member '_links', but a field has this name\.\n.*\n.*row\.fields\._embedded/,
  );
  expect(() => defineApi({ resources: [row], formats: [] })).not.toThrow();
});
