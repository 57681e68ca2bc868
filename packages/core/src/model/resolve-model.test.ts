import { describe, expect, test } from "vitest";
import { z } from "zod";
import { generate, uuid } from "../definition/generated.ts";
import { belongsTo, hasMany, hasOne, manyToMany } from "../definition/relations.ts";
import { and, not, or, through } from "../definition/compose-rules.ts";
import { allow, deny, owner } from "../definition/rules.ts";
import { DefinitionError } from "../errors/definition-error.ts";
import type { ResourceModel } from "./model.ts";
import { resolveModel } from "./resolve-model.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

/** A definition as plain JavaScript may write it, without the types that would refuse it. */
function resource(name: unknown, config: unknown): unknown {
  return { "~bifocal": "resource", name, config };
}

function mistakesOf(...definitions: readonly unknown[]): readonly string[] {
  try {
    resolveModel(definitions);
  } catch (thrown) {
    if (!(thrown instanceof DefinitionError)) throw thrown;
    return thrown.mistakes.map(({ at, problem, fix }) => `${at}: ${problem} ${fix}`);
  }
  return [];
}

const tag = resource("tag", { fields: { id: z.uuid(), name: z.string() }, access });

const comment = z.object({
  at: z.date(),
  get replies() {
    return z.array(comment);
  },
});
const plainComment = z.object({
  at: z.iso.datetime(),
  get replies() {
    return z.array(plainComment);
  },
});

test("every mistake of an API is reported at once, each with where it is and what to do", () => {
  const wrong = resource("book", {
    fields: { id: z.uuid(), title: z.string(), made: z.function(), and: z.string() },
    generated: { id: uuid(), titel: uuid() },
    relations: { author: belongsTo("auhtor", "authorId") },
    filterable: ["titel"],
    sortable: ["title", "tags"],
    access: { read: allow, create: allow, update: allow },
  });
  expect(mistakesOf(wrong, tag)).toMatchInlineSnapshot(`
    [
      "book.fields.and: 'and' is a word of filters. Choose another name; reserved are: eq, ne, in, notIn, isNull, lt, lte, gt, gte, between, contains, startsWith, endsWith, icontains, istartsWith, iendsWith, has, hasSome, hasEvery, some, every, none, and, or, not.",
      "book.filterable: There is no field 'titel'. There are: id, title, made, and.",
      "book.sortable: There is no field 'tags'. There are: id, title, made, and.",
      "book.generated.titel: There is no field 'titel' to generate. There are: id, title, made, and.",
      "book.fields.made: z.function() has no JSON form. Use a type that JSON can carry, or z.codec() between one and yours.",
      "book.relations.author: There is no resource 'auhtor'. There are: book, tag. Every resource that is named stands in the list given to defineApi.",
      "book.access.delete: There is no rule. Write allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
    ]
  `);
});

describe("a mistake", () => {
  test.each<[string, readonly unknown[], readonly string[]]>([
    ["no resource", [{}], ['resources[0]: It is no resource. Make it with defineResource("name", { … }).']],
    [
      "no access",
      [resource("book", { fields: { id: z.uuid() } })],
      [
        "book.access: There are no access rules. Say who may read, create, update and delete; nothing is public by omission.",
      ],
    ],
    [
      "a rule that is no function",
      [resource("book", { fields: { id: z.uuid() }, access: { ...access, read: true } })],
      [
        "book.access.read: It is not a function. Write allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
      ],
    ],
    [
      "no fields",
      [resource("book", { fields: {}, access })],
      [
        "book.fields: There are no fields. Give at least a key: fields: { id: z.uuid() }.",
        "book.key: There is no field 'id' to be the key. Add the field 'id', or name the key. There are none.",
      ],
    ],
    [
      "no key",
      [resource("book", { fields: { name: z.string() }, access })],
      ["book.key: There is no field 'id' to be the key. Add the field 'id', or name the key. There are: name."],
    ],
    [
      "a key of a type that no URL carries",
      [resource("book", { fields: { id: z.object({}) }, access })],
      [
        "book.fields.id: A key is text or an integer, and never null. Use z.uuid(), z.string() or z.int(), or another key.",
      ],
    ],
    [
      "a key that may be null",
      [resource("book", { fields: { id: z.string().nullable() }, access })],
      [
        "book.fields.id: A key is text or an integer, and never null. Use z.uuid(), z.string() or z.int(), or another key.",
      ],
    ],
    ["the same name twice", [tag, tag], ["tag: Two resources have this name. Give each resource a name of its own."]],
    [
      "names that meet in GraphQL",
      [resource("Book", { fields: { id: z.uuid() }, access })],
      ["resources[0]: 'Book' is no name of a resource. Use camelCase letters and digits: book, bookReview."],
    ],
    [
      "a reserved field",
      [resource("book", { fields: { id: z.uuid(), some: z.string() }, access })],
      [
        "book.fields.some: 'some' is a word of filters. Choose another name; reserved are: eq, ne, in, notIn, isNull, lt, lte, gt, gte, between, contains, startsWith, endsWith, icontains, istartsWith, iendsWith, has, hasSome, hasEvery, some, every, none, and, or, not.",
      ],
    ],
    [
      "a field that GraphQL cannot name",
      [resource("book", { fields: { id: z.uuid(), "a-b": z.string() }, access })],
      ["book.fields.a-b: 'a-b' is no name. Use letters, digits and '_', with no digit and no '__' first."],
    ],
    [
      "an unknown option",
      [resource("book", { fields: { id: z.uuid() }, access, filtrable: ["id"] })],
      ["book.filtrable: There is no option 'filtrable'. Did you mean 'filterable'?"],
    ],
    [
      "a schema without a JSON form",
      [resource("book", { fields: { id: z.uuid(), map: z.map(z.string(), z.string()) }, access })],
      [
        "book.fields.map: z.map() has no JSON form. Use a type that JSON can carry, or z.codec() between one and yours.",
      ],
    ],
    [
      "a transform without a type",
      [resource("book", { fields: { id: z.uuid(), size: z.string().transform((text) => text.length) }, access })],
      [
        "book.fields.size: It ends in a transform, so what it makes has no type that a client could know. Say what comes out: .transform(…).pipe(z.string()), or use z.codec() with both sides.",
      ],
    ],
    [
      "a generator of the wrong type",
      [
        resource("book", {
          fields: { id: z.uuid(), year: z.int32() },
          generated: { year: generate(() => "x") },
          access,
        }),
      ],
      [
        'book.generated.year: It makes "x", which the field does not hold. Change the generator, or the schema of the field.',
      ],
    ],
    [
      "an unknown relation target",
      [
        resource("book", {
          fields: { id: z.uuid(), tagId: z.uuid() },
          relations: { tag: belongsTo("tga", "tagId") },
          access,
        }),
        tag,
      ],
      [
        "book.relations.tag: There is no resource 'tga'. There are: book, tag. Every resource that is named stands in the list given to defineApi.",
      ],
    ],
    [
      "a relation over a field that is not there",
      [resource("book", { fields: { id: z.uuid() }, relations: { tag: belongsTo("tag", "tagId") }, access }), tag],
      ["book.relations.tag: 'book' has no field 'tagId'. There are: id."],
    ],
    [
      "a key of another type than the target's",
      [
        resource("book", {
          fields: { id: z.uuid(), tagId: z.int32() },
          relations: { tag: belongsTo("tag", "tagId") },
          access,
        }),
        tag,
      ],
      [
        "book.relations.tag: 'book.tagId' is integer and 'tag.id' is uuid, so they never meet. Give both fields the same type.",
      ],
    ],
    [
      "a far side without the field",
      [resource("book", { fields: { id: z.uuid() }, relations: { tags: hasMany("tag", "bookId") }, access }), tag],
      ["book.relations.tags: 'tag' has no field 'bookId'. There are: id, name."],
    ],
    [
      "a relation named as a field",
      [
        resource("book", {
          fields: { id: z.uuid(), tags: z.string() },
          relations: { tags: manyToMany("tag") },
          access,
        }),
        tag,
      ],
      ["book.relations.tags: It is a field already. Give the relation another name."],
    ],
    [
      "setNull of a field that may not be null",
      [
        resource("book", {
          fields: { id: z.uuid(), tagId: z.uuid() },
          relations: { tag: belongsTo("tag", "tagId", { onDelete: "setNull" }) },
          access,
        }),
        tag,
      ],
      ["book.relations.tag: onDelete: \"setNull\" empties 'tagId', which is not nullable. Make the field .nullable()."],
    ],
    [
      "an action without a rule",
      [resource("book", { fields: { id: z.uuid() }, access, actions: { publish: { on: "item", run: () => null } } })],
      [
        "book.actions.publish.access: There is no rule. Write allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
      ],
    ],
    [
      "an action on nothing",
      [
        resource("book", {
          fields: { id: z.uuid() },
          access,
          actions: { publish: { on: "row", access: allow, run: () => null } },
        }),
      ],
      ["book.actions.publish.on: It cannot be 'row'. There are: item, collection."],
    ],
    [
      "an action and a relation in one path",
      [
        resource("book", {
          fields: { id: z.uuid() },
          relations: { tags: manyToMany("tag") },
          access,
          actions: { tags: { on: "item", access: allow, run: () => null } },
        }),
        tag,
      ],
      ["book.actions.tags: The relation 'tags' answers at the same path. Give the action another name."],
    ],
    [
      "a page beyond its maximum",
      [resource("book", { fields: { id: z.uuid() }, access, page: { size: 50, max: 10 } })],
      ["book.page: The size 50 is above the max 10. Raise 'max', or lower 'size'."],
    ],
    [
      "a unique group of no field",
      [resource("book", { fields: { id: z.uuid() }, access, unique: [["isbn"]] })],
      ["book.unique: There is no field 'isbn'. There are: id."],
    ],
    [
      "one of several",
      [
        resource("book", { fields: { id: z.uuid() }, access, relations: { cover: hasOne("cover", "bookId") } }),
        resource("cover", {
          fields: { id: z.uuid(), bookId: z.uuid(), side: z.string() },
          access,
          unique: [["bookId", "side"]],
        }),
      ],
      [
        "book.relations.cover: Several rows of 'cover' may have the same 'bookId', and hasOne is of one. Write unique: [\"bookId\"] in 'cover', or make it hasMany.",
      ],
    ],
    [
      "a sort by a list",
      [resource("book", { fields: { id: z.uuid(), words: z.array(z.string()) }, access, sortable: ["words"] })],
      ["book.fields.words: There is no order of list values. Take it out of 'sortable'."],
    ],
    [
      "a rule on an unknown field",
      [resource("book", { fields: { id: z.uuid() }, access: { ...access, fields: { price: { read: allow } } } })],
      ["book.access.fields: There is no field 'price'. There are: id."],
    ],
    [
      "a path that is none",
      [resource("book", { fields: { id: z.uuid() }, access, path: "a/b" })],
      [
        "book.path: 'a/b' is no path of a resource. Use one segment of letters, digits, '-', '.', '_' and '~', which is not graphql, docs, openapi.json or -.",
      ],
    ],
    [
      "a negative cache age",
      [resource("book", { fields: { id: z.uuid() }, access, cache: { maxAge: -1 } })],
      ["book.cache.maxAge: It is no number of seconds. Write a whole number, 0 or more."],
    ],
    [
      "an internal key",
      [resource("book", { fields: { id: z.uuid() }, access, internal: ["id"] })],
      [
        "book.fields.id: The key stands in every address, so it cannot be hidden. Let everybody read it who reads the row.",
        "book.fields.id: Nobody can write an internal field, and this one may not be empty. Make it .nullable(), give it a .default(), or generate it.",
      ],
    ],
    [
      "a version that is no count",
      [
        resource("book", { fields: { id: z.uuid(), rev: z.string() }, access, version: "rev" }),
        resource("page", { fields: { id: z.int() }, access, version: "id" }),
        resource("part", { fields: { id: z.uuid() }, access, version: "revision" }),
      ],
      [
        "book.version: 'rev' is no whole number. Make it z.int(): it counts the writes of a row.",
        "page.version: 'id' is generated, internal or part of the key. Give the version a field of its own.",
        "part.version: There is no field 'revision'. There are: id.",
      ],
    ],
    [
      "bulk limits that are none",
      [
        resource("book", { fields: { id: z.uuid() }, access, bulk: true }),
        resource("page", { fields: { id: z.uuid() }, access, bulk: { create: -1, updat: 5 } }),
      ],
      [
        "book.bulk: It is not an object. Write how many rows one request may write: { create: 100, update: 100 }.",
        "page.bulk.updat: There is no option 'updat'. Did you mean 'update'?",
        "page.bulk.create: It is no number of rows. Write a whole number, as in 100.",
      ],
    ],
    [
      "many rows changed where each change says its version",
      [resource("book", { fields: { id: z.uuid() }, access, bulk: { update: 5 }, requirePrecondition: true })],
      [
        "book.bulk: Changes of many rows cannot say which version of each they mean, as 'requirePrecondition' demands. Leave out bulk.update and bulk.delete, or 'requirePrecondition'.",
      ],
    ],
    [
      "flags that are none",
      [resource("book", { fields: { id: z.uuid() }, access, upsert: "yes", requirePrecondition: 1 })],
      [
        "book.upsert: It is no boolean. Write true or false.",
        "book.requirePrecondition: It is no boolean. Write true or false.",
      ],
    ],
    [
      "an immutable field that nobody writes",
      [resource("book", { fields: { id: z.uuid() }, access, generated: { id: uuid() }, immutable: ["id"] })],
      ["book.fields.id: Nobody can write it, so there is nothing to keep from changing. Take it out of 'immutable'."],
    ],
    [
      "an age of what nobody keeps",
      [resource("book", { fields: { id: z.uuid() }, access, cache: { noStore: true, maxAge: 5 } })],
      ["book.cache: What nobody keeps has no age. Write { noStore: true } alone."],
    ],
    [
      "rules that are there and say nothing",
      [
        resource("book", {
          fields: { id: z.uuid(), name: z.string(), tagId: z.uuid() },
          relations: { tag: belongsTo("tag", "tagId"), others: hasMany("tag", "name") },
          access: {
            ...access,
            fields: { name: { read: undefined, write: null }, tagId: {} },
            relations: { tag: { reed: allow }, others: {} },
          },
        }),
        tag,
      ],
      [
        "book.access.fields.tagId: There is no rule. Give it a rule, or take it out: whoever reads and writes the row then does so with the field.",
        "book.access.fields.name.read: There is no rule. Write allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
        "book.access.fields.name.write: It is not a function. Write allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
        "book.access.relations.tag.reed: There is no option 'reed'. Did you mean 'read'?",
        "book.access.relations.others: There is no rule. Give it a rule, or take it out: the rules of the target and of updates then hold.",
      ],
    ],
    [
      "rules of relations that are no object",
      [resource("book", { fields: { id: z.uuid() }, access: { ...access, relations: deny } })],
      ["book.access.relations: It is not an object. Write an object, or leave it out."],
    ],
    [
      "links that one side has elsewhere",
      [
        resource("book", {
          fields: { id: z.uuid() },
          access,
          relations: {
            tags: manyToMany("label"),
            // Links between rows of one resource have no other side.
            sequels: manyToMany("book", { from: "bookId", to: "sequelId" }),
            editions: manyToMany("book", { through: "edition", from: "bookId", to: "editionId" }),
          },
        }),
        resource("label", {
          fields: { id: z.uuid() },
          access,
          relations: { books: manyToMany("book", { through: "labelling" }) },
        }),
      ],
      [
        "book.relations.tags: Its links are in 'book_label', and those of 'label.books' in 'labelling', so neither side sees the other's. Name the table here too: { through: \"labelling\" }.",
      ],
    ],
    [
      "two relations that link the same",
      [
        resource("book", {
          fields: { id: z.uuid() },
          access,
          relations: {
            tags: manyToMany("tag"),
            topics: manyToMany("tag"),
            // From both sides of one table, and one by two names on purpose.
            sequels: manyToMany("book", { through: "sequel", from: "bookId", to: "sequelId" }),
            prequels: manyToMany("book", { through: "sequel", from: "sequelId", to: "bookId" }),
            marks: manyToMany("tag", { through: "mark" }),
            labels: manyToMany("tag", { through: "mark" }),
          },
        }),
        tag,
      ],
      [
        "book.relations.topics: Its links are in 'book_tag', as those of 'tags' are, so what is linked by one is linked by both. Give it a table of its own: { through: \"book_topics\" }.",
      ],
    ],
    [
      "a unique group of nothing",
      [resource("book", { fields: { id: z.uuid() }, access, unique: ["id", []] })],
      ["book.unique: A group names no field. Name the fields that no two rows may share, or leave the group out."],
    ],
    [
      "two actions at one path",
      [
        resource("book", {
          fields: { id: z.uuid() },
          access,
          actions: {
            doX: { on: "item", access: allow, run: () => null },
            DoX: { on: "item", access: allow, run: () => null },
            dOX: { on: "collection", access: allow, run: () => null },
          },
        }),
      ],
      ["book.actions.DoX: The action 'doX' answers at the same path. Give the action another name."],
    ],
    [
      "schemas that wait",
      [
        resource("book", {
          fields: {
            id: z.uuid(),
            title: z.string().refine(async (text) => Promise.resolve(text !== "")),
            words: z.array(
              z
                .string()
                .transform(async (text) => Promise.resolve(text))
                .pipe(z.string()),
            ),
          },
          access,
        }),
      ],
      [
        "book.fields.title: It has an async refinement or transform, and values are checked at once. Do what has to wait in a hook: hooks: { create: { before: async (context) => { … } } }.",
        "book.fields.words: It has an async refinement or transform, and values are checked at once. Do what has to wait in a hook: hooks: { create: { before: async (context) => { … } } }.",
      ],
    ],
    [
      "a conversion at every depth",
      [resource("book", { fields: { id: z.uuid(), comment, plainComment }, access })],
      [
        "book.fields.comment: It is recursive, and a date, a bigint or a codec in it has no JSON form at every depth. Use text for it: z.iso.datetime() or a string of digits.",
      ],
    ],
    [
      "a moment that is not written as it is kept",
      [
        resource("book", {
          fields: {
            id: z.uuid(),
            at: z.iso.datetime({ precision: 0 }),
            on: z.string().datetime({ precision: 6 }).nullable(),
            exact: z.iso.datetime({ precision: 3 }),
          },
          access,
        }),
      ],
      [
        "book.fields.at: Moments are kept and answered with milliseconds, which 'precision: 0' refuses. Leave 'precision' out, or write precision: 3.",
        "book.fields.on: Moments are kept and answered with milliseconds, which 'precision: 6' refuses. Leave 'precision' out, or write precision: 3.",
      ],
    ],
    [
      "composed rules with parts that are none",
      [
        resource("book", {
          fields: { id: z.uuid(), tagId: z.uuid() },
          relations: { tag: belongsTo("tag", "tagId") },
          access: {
            read: Reflect.apply(or, undefined, []),
            create: Reflect.apply(and, undefined, [undefined, true]),
            update: or(owner("ownerId"), through("tag", owner("ownerId"))),
            delete: not(through("tags", owner("id"))),
          },
        }),
        tag,
      ],
      [
        "book.access.read: 'or' has no rule to join. Give it at least one; who means everybody says allow.",
        "book.access.create: A part of it is no rule but a undefined. Compose rules of rules, not of their answers.",
        "book.access.create: A part of it is no rule but a boolean. Compose rules of rules, not of their answers.",
        "book.access.update: owner(\"ownerId\") names a field that 'book' does not have. There are: id, tagId.",
        "book.access.update: owner(\"ownerId\") names a field that 'tag' does not have. There are: id, name.",
        "book.access.delete: 'book' has no relation 'tags'. Did you mean 'tag'?",
      ],
    ],
  ])("%s", (_, definitions, expected) => {
    expect(mistakesOf(...definitions)).toEqual(expected);
  });
});

test("a definition that is right is frozen plain data", () => {
  const model = resolveModel([tag]);
  const { fields, access: rules, page, path } = model.resources.get("tag") as ResourceModel;
  for (const part of [model, fields.get("name"), rules, page]) expect(Object.isFrozen(part)).toBe(true);
  expect({ ...page, path }).toEqual({ size: 20, max: 100, path: "tags" });
});
