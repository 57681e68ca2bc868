import {
  allow,
  asSystem,
  defineApi,
  defineResource,
  deny,
  hasRole,
  manyToMany,
  type Rule,
  silentLog,
  type Store,
} from "@bifocal/core";
import { accessTable, explainAccess } from "@bifocal/core/explain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Ask, bearerOf, PLACES, withApi } from "./each-store.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const PEOPLE = {
  reader: { id: "reader" },
  editor: { id: "editor", roles: ["editor"] },
  tagger: { id: "tagger", roles: ["tagger"] },
  both: { id: "both", roles: ["editor", "tagger"] },
};

interface Rules {
  readonly book?: { readonly update?: Rule; readonly link?: Rule };
  readonly tag?: { readonly update?: Rule; readonly link?: Rule };
}

/** Books and tags whose visibility depends on each other. */
function createApi({ book: ofBook = {}, tag: ofTag = {} }: Rules, store?: Store) {
  const relations = (link: Rule | undefined, name: string) => (link === undefined ? {} : { [name]: { link } });
  const book = defineResource("book", {
    fields: { id: z.string(), open: z.boolean() },
    relations: { tags: manyToMany("tag", { through: "book_tag" }) },
    access: { ...open, update: ofBook.update ?? allow, relations: relations(ofBook.link, "tags") },
  });
  const tag = defineResource("tag", {
    fields: { id: z.string(), open: z.boolean() },
    relations: { books: manyToMany("book", { through: "book_tag" }) },
    access: { ...open, update: ofTag.update ?? allow, relations: relations(ofTag.link, "books") },
  });
  const api = defineApi({
    resources: [book, tag],
    auth: bearerOf(PEOPLE),
    log: silentLog,
    ...(store === undefined ? {} : { store }),
  });
  return api;
}

const JSON_API = { "content-type": "application/vnd.api+json", accept: "application/vnd.api+json" };
const EITHER_SIDE: Readonly<Record<string, (ask: Ask, who: string) => Promise<boolean>>> = {
  "PUT book": async (ask, who) => (await ask(who, "PUT", "/books/b/tags/t")).status === 204,
  "PUT tag": async (ask, who) => (await ask(who, "PUT", "/tags/t/books/b")).status === 204,
  "DELETE book": async (ask, who) => (await ask(who, "DELETE", "/books/b/tags/t")).status === 204,
  "DELETE tag": async (ask, who) => (await ask(who, "DELETE", "/tags/t/books/b")).status === 204,
  "relationship of book": async (ask, who) => {
    const body = { data: [{ type: "tags", id: "t" }] };
    return (await ask(who, "POST", "/books/b/relationships/tags", { body, headers: JSON_API })).status === 204;
  },
  "relationship of tag": async (ask, who) => {
    const body = { data: [{ type: "books", id: "b" }] };
    return (await ask(who, "DELETE", "/tags/t/relationships/books", { body, headers: JSON_API })).status === 204;
  },
  "mutation of book": async (ask, who) => mutate(ask, who, 'linkBookTag(id: "b", tagId: "t") { id }'),
  "mutation of tag": async (ask, who) => mutate(ask, who, 'unlinkTagBook(id: "t", bookId: "b") { id }'),
};

async function mutate(ask: Ask, who: string, field: string): Promise<boolean> {
  const { json, text } = await ask(who, "POST", "/graphql", { body: { query: `mutation { ${field} }` } });
  const { errors = [] } = json as { errors?: readonly { extensions?: { code?: string } }[] };
  const code = errors[0]?.extensions?.code;
  if (code !== undefined && code !== "FORBIDDEN") throw new Error(text);
  return code === undefined;
}

const editor = hasRole("editor");
const tagger = hasRole("tagger");
const isOpen: Rule = () => ({ open: true });
const CASES: readonly (readonly [string, Rules, readonly (keyof typeof PEOPLE)[]])[] = [
  ["a rule of books only", { book: { link: editor } }, ["editor", "both"]],
  ["a rule of tags only", { tag: { link: tagger } }, ["tagger", "both"]],
  ["a rule on each side", { book: { link: editor }, tag: { link: tagger } }, ["both"]],
  ["callers who can update books", { book: { update: editor } }, ["editor", "both"]],
  ["callers who can update each side", { book: { update: editor }, tag: { update: tagger } }, ["both"]],
  [
    "a side that leaves the decision to the other",
    { book: { link: editor }, tag: { update: deny, link: allow } },
    ["editor", "both"],
  ],
  ["a rule that refuses the row of one side", { book: { link: isOpen } }, []],
  ["a rule that refuses the row of the other side", { tag: { link: isOpen } }, []],
];

describe.each(PLACES)("links, on $name", (place) => {
  test.skipIf(place.missing !== undefined).each(CASES)("%s decides from both sides", async (_, rules, permitted) => {
    let prepared: Promise<unknown> | undefined;
    const create = (store: Store) => {
      const api = createApi(rules, store);
      const rows = api.as(asSystem("a test prepares its rows"));
      prepared = api.ready.then(async () => {
        await rows.book.create({ id: "b", open: false });
        await rows.tag.create({ id: "t", open: false });
      });
      return api;
    };
    await withApi(place, create, async (ask) => {
      await prepared;
      for (const who of Object.keys(PEOPLE) as (keyof typeof PEOPLE)[]) {
        for (const [name, way] of Object.entries(EITHER_SIDE)) {
          expect([who, name, await way(ask, who)]).toEqual([who, name, permitted.includes(who)]);
        }
      }
    });
  });
});

test("names the rules of both sides in explanations and in the table of rights", async () => {
  const api = createApi({ book: { link: editor }, tag: { update: tagger } });
  for (const [resource, relation] of [
    ["book", "tags"],
    ["tag", "books"],
  ] as const) {
    const question = { kind: "link", resource, relation } as const;
    const answers = await Promise.all(
      Object.values(PEOPLE).map(async (who) => (await explainAccess(api, who, question)).decisions[0]),
    );
    expect(answers.map((decision) => decision?.answer)).toEqual(["no", "no", "no", "yes"]);
    expect(answers[0]?.rules.map(({ at }) => at)).toEqual(
      expect.arrayContaining(["book.access.relations.tags.link", "tag.access.update"]),
    );
  }
  const { rows } = await accessTable(api, PEOPLE);
  const links = rows.filter(({ right }) => right === "link");
  expect(links.map(({ subject, cells }) => [subject, cells.map(({ answer }) => answer)])).toEqual([
    ["book.tags", ["no", "no", "no", "yes"]],
    ["tag.books", ["no", "no", "no", "yes"]],
  ]);
});
