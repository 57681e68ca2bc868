import { describe, expect, test } from "vitest";
import { z } from "zod";
import { generate, uuid } from "../definition/generated.ts";
import { belongsTo, hasMany, hasOne, manyToMany } from "../definition/relations.ts";
import { allOf, unless, anyOf, through } from "../definition/compose-rules.ts";
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

test("reports every mistake of an API at once, each with its location and a solution", () => {
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
      "book.fields.and: 'and' is a reserved word of filters. Choose another name. Reserved words: eq, ne, in, notIn, has, hasSome, hasEvery, isNull, lt, lte, gt, gte, between, contains, notContains, startsWith, endsWith, icontains, istartsWith, iendsWith, some, every, none, and, or, not.",
      "book.filterable: Unknown field 'titel'. Did you mean 'title'?",
      "book.sortable: Unknown field 'tags'. Available: id, title, made, and.",
      "book.generated.titel: Unknown field 'titel' in 'generated'. Did you mean 'title'?",
      "book.fields.made: z.function() has no JSON form. Use a type that JSON can represent, or z.codec() to convert to one.",
      "book.relations.author: Unknown resource 'auhtor'. Available: book, tag. Every related resource must be in the list passed to defineApi.",
      "book.access.delete: The rule is missing. Use allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
    ]
  `);
});

describe("a mistake", () => {
  test.each<[string, readonly unknown[], readonly string[]]>([
    ["no resource", [{}], ['resources[0]: Expected a resource. Create it with defineResource("name", { … }).']],
    [
      "no access",
      [resource("book", { fields: { id: z.uuid() } })],
      [
        "book.access: The access rules are missing. Add a rule for read, create, update and delete. Nothing is public by default.",
      ],
    ],
    [
      "a rule that isn't a function",
      [resource("book", { fields: { id: z.uuid() }, access: { ...access, read: true } })],
      [
        "book.access.read: Expected a function. Use allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
      ],
    ],
    [
      "no fields",
      [resource("book", { fields: {}, access })],
      [
        "book.fields: The resource has no fields. Add at least a key: fields: { id: z.uuid() }.",
        "book.key: The key field 'id' doesn't exist. Add a field 'id', or set 'key' to another field. No names are defined.",
      ],
    ],
    [
      "no key",
      [resource("book", { fields: { name: z.string() }, access })],
      ["book.key: The key field 'id' doesn't exist. Add a field 'id', or set 'key' to another field. Available: name."],
    ],
    [
      "a key type that a URL cannot contain",
      [resource("book", { fields: { id: z.object({}) }, access })],
      [
        "book.fields.id: A key must be a string or an integer, and can't be null. Use z.uuid(), z.string() or z.int(), or choose another key.",
      ],
    ],
    [
      "a key that can be null",
      [resource("book", { fields: { id: z.string().nullable() }, access })],
      [
        "book.fields.id: A key must be a string or an integer, and can't be null. Use z.uuid(), z.string() or z.int(), or choose another key.",
      ],
    ],
    ["the same name twice", [tag, tag], ["tag: Two resources have this name. Give each resource a unique name."]],
    [
      "names that collide in GraphQL",
      [resource("Book", { fields: { id: z.uuid() }, access })],
      [
        "resources[0]: 'Book' is not a valid resource name. Use camelCase letters and digits, such as book or bookReview.",
      ],
    ],
    [
      "a name among the options",
      [resource({ fields: { id: z.uuid() }, access }, undefined)],
      ['resources[0]: The name of the resource is missing. Pass it first: defineResource("book", { … }).'],
    ],
    [
      "a schema in place of the fields",
      [resource("book", { fields: z.object({ id: z.uuid() }), access, filterable: ["id"] })],
      ["book.fields: Expected an object with a schema for each field. Write { … } instead of z.object({ … })."],
    ],
    [
      "a reserved field",
      [resource("book", { fields: { id: z.uuid(), some: z.string() }, access })],
      [
        "book.fields.some: 'some' is a reserved word of filters. Choose another name. Reserved words: eq, ne, in, notIn, has, hasSome, hasEvery, isNull, lt, lte, gt, gte, between, contains, notContains, startsWith, endsWith, icontains, istartsWith, iendsWith, some, every, none, and, or, not.",
      ],
    ],
    [
      "a field that GraphQL cannot name",
      [resource("book", { fields: { id: z.uuid(), "a-b": z.string() }, access })],
      [
        "book.fields.a-b: 'a-b' is not a valid field name. Use letters, digits and '_'. A name can't start with a digit or '__'.",
      ],
    ],
    [
      "an unknown option",
      [resource("book", { fields: { id: z.uuid() }, access, filtrable: ["id"] })],
      ["book.filtrable: Unknown option 'filtrable'. Did you mean 'filterable'?"],
    ],
    [
      "a schema without a JSON form",
      [resource("book", { fields: { id: z.uuid(), map: z.map(z.string(), z.string()) }, access })],
      [
        "book.fields.map: z.map() has no JSON form. Use a type that JSON can represent, or z.codec() to convert to one.",
      ],
    ],
    [
      "a transform without a type",
      [resource("book", { fields: { id: z.uuid(), size: z.string().transform((text) => text.length) }, access })],
      [
        "book.fields.size: The schema ends in a transform, so its output type is unknown. Declare the output type: .transform(…).pipe(z.string()), or use z.codec() with both schemas.",
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
        "book.generated.year: The generator returned \"x\", which the field's schema doesn't accept. Change the generator or the field's schema.",
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
        "book.relations.tag: Unknown resource 'tga'. Did you mean 'tag'? Every related resource must be in the list passed to defineApi.",
      ],
    ],
    [
      "a relation over a missing field",
      [resource("book", { fields: { id: z.uuid() }, relations: { tag: belongsTo("tag", "tagId") }, access }), tag],
      ["book.relations.tag: 'book' has no field 'tagId'. Available: id."],
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
        "book.relations.tag: 'book.tagId' is integer and 'tag.id' is uuid, so their values can never match. Give both fields the same type.",
      ],
    ],
    [
      "a target without the field",
      [resource("book", { fields: { id: z.uuid() }, relations: { tags: hasMany("tag", "bookId") }, access }), tag],
      ["book.relations.tags: 'tag' has no field 'bookId'. Available: id, name."],
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
      ["book.relations.tags: A field already has this name. Rename the relation."],
    ],
    [
      "setNull of a field that can't be null",
      [
        resource("book", {
          fields: { id: z.uuid(), tagId: z.uuid() },
          relations: { tag: belongsTo("tag", "tagId", { onDelete: "setNull" }) },
          access,
        }),
        tag,
      ],
      [
        "book.relations.tag: onDelete: \"setNull\" sets 'tagId' to null, but the field is not nullable. Make the field .nullable().",
      ],
    ],
    [
      "an action without a rule",
      [resource("book", { fields: { id: z.uuid() }, access, actions: { publish: { on: "item", run: () => null } } })],
      [
        "book.actions.publish.access: The rule is missing. Use allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
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
      ["book.actions.publish.on: 'row' is not a valid value. Available: item, collection."],
    ],
    [
      "an action and a relation with the same path",
      [
        resource("book", {
          fields: { id: z.uuid() },
          relations: { tags: manyToMany("tag") },
          access,
          actions: { tags: { on: "item", access: allow, run: () => null } },
        }),
        tag,
      ],
      ["book.actions.tags: The relation 'tags' already uses this path. Rename the action."],
    ],
    [
      "a page beyond its maximum",
      [resource("book", { fields: { id: z.uuid() }, access, page: { size: 50, max: 10 } })],
      ["book.page: The page size 50 is larger than max (10). Increase 'max' or decrease 'size'."],
    ],
    [
      "an unknown field in a unique group",
      [resource("book", { fields: { id: z.uuid() }, access, unique: [["isbn"]] })],
      ["book.unique: Unknown field 'isbn'. Available: id."],
    ],
    [
      "a hasOne over a field that isn't unique",
      [
        resource("book", { fields: { id: z.uuid() }, access, relations: { cover: hasOne("cover", "bookId") } }),
        resource("cover", {
          fields: { id: z.uuid(), bookId: z.uuid(), side: z.string() },
          access,
          unique: [["bookId", "side"]],
        }),
      ],
      [
        "book.relations.cover: Several rows of 'cover' can have the same 'bookId', but hasOne allows only one. Add unique: [\"bookId\"] to 'cover', or use hasMany.",
      ],
    ],
    [
      "a sort by a list",
      [resource("book", { fields: { id: z.uuid(), words: z.array(z.string()) }, access, sortable: ["words"] })],
      ["book.fields.words: list values can't be sorted. Remove it from 'sortable'."],
    ],
    [
      "a rule on an unknown field",
      [resource("book", { fields: { id: z.uuid() }, access: { ...access, fields: { price: { read: allow } } } })],
      ["book.access.fields: Unknown field 'price'. Available: id."],
    ],
    [
      "an invalid path",
      [resource("book", { fields: { id: z.uuid() }, access, path: "a/b" })],
      [
        "book.path: 'a/b' is not a valid path. Use one path segment of letters, digits, '-', '.', '_' and '~'. Reserved: graphql, docs, openapi.json, client.json and -.",
      ],
    ],
    [
      "a negative cache age",
      [resource("book", { fields: { id: z.uuid() }, access, cache: { maxAge: -1 } })],
      ["book.cache.maxAge: Expected a number of seconds. Pass a whole number, 0 or more."],
    ],
    [
      "an internal key",
      [resource("book", { fields: { id: z.uuid() }, access, internal: ["id"] })],
      [
        "book.fields.id: A key field can't be hidden, because it is part of the URL. Remove the read rule and 'internal' from this field.",
        "book.fields.id: No caller can write an internal field, but this one requires a value. Make it .nullable(), add a .default(), or generate it.",
      ],
    ],
    [
      "a version that isn't an integer",
      [
        resource("book", { fields: { id: z.uuid(), rev: z.string() }, access, version: "rev" }),
        resource("page", { fields: { id: z.int() }, access, version: "id" }),
        resource("part", { fields: { id: z.uuid() }, access, version: "revision" }),
      ],
      [
        "book.version: 'rev' is not an integer field. Use z.int(): the version counts the writes of a row.",
        "page.version: 'id' is generated, internal or part of the key. Use a separate field for the version.",
        "part.version: Unknown field 'revision'. Available: id.",
      ],
    ],
    [
      "invalid bulk limits",
      [
        resource("book", { fields: { id: z.uuid() }, access, bulk: true }),
        resource("page", { fields: { id: z.uuid() }, access, bulk: { create: -1, updat: 5 } }),
      ],
      [
        "book.bulk: Expected an object. Pass the number of rows that one request can write: { create: 100, update: 100 }.",
        "page.bulk.updat: Unknown option 'updat'. Did you mean 'update'?",
        "page.bulk.create: Expected a number of rows. Pass a whole number, such as 100.",
      ],
    ],
    [
      "invalid flags",
      [resource("book", { fields: { id: z.uuid() }, access, upsert: "yes", requirePrecondition: 1 })],
      [
        "book.upsert: Expected a boolean. Pass true or false.",
        "book.requirePrecondition: Expected a boolean. Pass true or false.",
      ],
    ],
    [
      "an immutable field that no caller can write",
      [resource("book", { fields: { id: z.uuid() }, access, generated: { id: uuid() }, immutable: ["id"] })],
      [
        "book.fields.id: No caller can write this field, so it doesn't need to be immutable. Remove it from 'immutable'.",
      ],
    ],
    [
      "a text as a flag of the cache",
      [resource("book", { fields: { id: z.uuid() }, access, cache: { public: "false" } })],
      ["book.cache.public: Expected true or false. Pass a boolean, or remove the option."],
    ],
    [
      "null as page sizes",
      [resource("book", { fields: { id: z.uuid() }, access, page: null })],
      ["book.page: Expected an object. Pass { size: 20, max: 100 }."],
    ],
    [
      "a promise of generators",
      [resource("book", { fields: { id: z.uuid() }, access, generated: Promise.resolve({}) })],
      ["book.generated: Expected an object. Pass an object, or remove the option."],
    ],
    [
      "a cache age for responses that aren't cached",
      [resource("book", { fields: { id: z.uuid() }, access, cache: { noStore: true, maxAge: 5 } })],
      ["book.cache: 'noStore' can't be combined with other cache options. Pass { noStore: true } alone."],
    ],
    [
      "empty rules of fields",
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
        "book.access.fields.tagId: The rule is missing. Set a rule, or remove the entry. Without the entry, callers who can read or write the row can also read or write the field.",
        "book.access.fields.name.read: The rule is missing. Use allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
        "book.access.fields.name.write: Expected a function. Use allow, deny, signedIn, hasRole(…), owner(…) or a function of { principal, input }.",
        "book.access.relations.tag.reed: Unknown option 'reed'. Did you mean 'read'?",
        "book.access.relations.others: The rule is missing. Set a rule, or remove the entry. Without the entry, the target's rules and the update rule apply.",
      ],
    ],
    [
      "rules of relations that aren't an object",
      [resource("book", { fields: { id: z.uuid() }, access: { ...access, relations: deny } })],
      ["book.access.relations: Expected an object. Pass an object, or remove the option."],
    ],
    [
      "a table of links that only one side names",
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
        "book.relations.tags: This relation stores its links in 'book_label', but the opposite relation 'label.books' uses 'labelling', so neither side sees the other's links. Use the same link table here: { through: \"labelling\" }.",
      ],
    ],
    [
      "two relations over the same links",
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
        "book.relations.topics: The relation shares the link table 'book_tag' with 'tags', so both relations always have the same links. Give this relation its own link table: { through: \"book_topics\" }.",
      ],
    ],
    [
      "an empty unique group",
      [resource("book", { fields: { id: z.uuid() }, access, unique: ["id", []] })],
      ["book.unique: The group is empty. List the fields whose combination must be unique, or remove the group."],
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
      ["book.actions.DoX: The action 'doX' already uses this path. Rename the action."],
    ],
    [
      "asynchronous schemas",
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
        "book.fields.title: The schema has an async refinement or transform, but values are validated synchronously. Move asynchronous work to a hook: hooks: { create: { before: async (context) => { … } } }.",
        "book.fields.words: The schema has an async refinement or transform, but values are validated synchronously. Move asynchronous work to a hook: hooks: { create: { before: async (context) => { … } } }.",
      ],
    ],
    [
      "a conversion in a recursive schema",
      [resource("book", { fields: { id: z.uuid(), comment, plainComment }, access })],
      [
        "book.fields.comment: A recursive schema can't contain a date, a bigint or a codec. Use a string instead: z.iso.datetime() or a string of digits.",
      ],
    ],
    [
      "a timestamp with another precision",
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
        "book.fields.at: Dates and times are stored with milliseconds, which 'precision: 0' doesn't allow. Remove 'precision', or set precision: 3.",
        "book.fields.on: Dates and times are stored with milliseconds, which 'precision: 6' doesn't allow. Remove 'precision', or set precision: 3.",
      ],
    ],
    [
      "composed rules without parts",
      [
        resource("book", {
          fields: { id: z.uuid(), tagId: z.uuid() },
          relations: { tag: belongsTo("tag", "tagId") },
          access: {
            read: Reflect.apply(anyOf, undefined, []),
            create: Reflect.apply(allOf, undefined, [undefined, true]),
            update: anyOf(owner("ownerId"), through("tag", owner("ownerId"))),
            delete: unless(through("tags", owner("id"))),
          },
        }),
        tag,
      ],
      [
        "book.access.read: 'anyOf()' has no rules to combine. Pass at least one rule. To allow everyone, use `allow`.",
        "book.access.create: Only rules can be combined; received undefined. Pass rules to it, not their results.",
        "book.access.create: Only rules can be combined; received a boolean. Pass rules to it, not their results.",
        "book.access.update: owner(\"ownerId\") uses a field that 'book' doesn't have. Available: id, tagId.",
        "book.access.update: owner(\"ownerId\") uses a field that 'tag' doesn't have. Available: id, name.",
        "book.access.delete: 'book' has no relation 'tags'. Did you mean 'tag'?",
      ],
    ],
    [
      "wrong operations",
      [
        resource("tag", { fields: { id: z.uuid() }, access, operations: ["get", "updat", 7] }),
        resource("book", { fields: { id: z.uuid() }, access, operations: { rest: "get", grahpql: [] } }),
        resource("page", { fields: { id: z.uuid() }, access, operations: { graphql: ["createMany", "link"] } }),
      ],
      [
        "tag.operations: Unknown operation 'updat'. Did you mean 'update'?",
        "tag.operations: Unknown operation 7. Available: get, list, create, replace, update, delete, createMany, updateMany, deleteMany, link, unlink, watch, query.",
        "book.operations.grahpql: Unknown option 'grahpql'. Did you mean 'graphql'?",
        'book.operations.rest: Expected a list of operations. Pass the operations to offer: ["get", "list", "create"].',
        "page.operations.graphql: 'createMany' needs 'bulk.create'. Set bulk: { create: 100 }, or remove 'createMany'.",
        "page.operations.graphql: 'link' has no effect: 'page' has no many-to-many relation. Remove 'link'.",
      ],
    ],
  ])("%s", (_, definitions, expected) => {
    expect(mistakesOf(...definitions)).toEqual(expected);
  });
});

test("reports unknown options of every kind of relation", () => {
  const wrong = { ondelete: "cascade", create: 1 } as object;
  const book = resource("book", {
    fields: { id: z.uuid(), authorId: z.uuid() },
    relations: {
      author: belongsTo("author", "authorId", wrong),
      pages: hasMany("page", "bookId", { create: 1 } as object),
      cover: hasOne("page", "bookId", { onDelete: "cascade" } as object),
      tags: manyToMany("tag", { thru: "links" } as object),
    },
    access,
  });
  const page = resource("page", { fields: { id: z.uuid(), bookId: z.uuid() }, unique: ["bookId"], access });
  const others = ["author", "tag"].map((name) => resource(name, { fields: { id: z.uuid() }, access }));
  const mistakes = mistakesOf(book, page, ...others).filter((mistake) => mistake.includes("Unknown option"));
  expect(mistakes).toEqual([
    "book.relations.author.ondelete: Unknown option 'ondelete'. Did you mean 'onDelete'?",
    "book.relations.author.create: Unknown option 'create'. Did you mean 'creates'?",
    "book.relations.pages.create: Unknown option 'create'. Did you mean 'creates'?",
    "book.relations.cover.onDelete: Unknown option 'onDelete'. Available: creates, references.",
    "book.relations.tags.thru: Unknown option 'thru'. Available: through, from, to, links.",
  ]);
});

test("freezes a valid definition as plain data", () => {
  const model = resolveModel([tag]);
  const { fields, access: rules, page, path } = model.resources.get("tag") as ResourceModel;
  for (const part of [model, fields.get("name"), rules, page]) expect(Object.isFrozen(part)).toBe(true);
  expect({ ...page, path }).toEqual({ size: 20, max: 100, path: "tags" });
});

test.each([null, "cascade", true])("rejects %j in place of the options of a relation", (options) => {
  const message = "must be an object; received";
  expect(() => belongsTo("author", "authorId", options as never)).toThrow(`The options of belongsTo() ${message}`);
  expect(() => hasMany("book", "authorId", options as never)).toThrow(`The options of hasMany() ${message}`);
  expect(() => hasOne("book", "authorId", options as never)).toThrow(`The options of hasOne() ${message}`);
  expect(() => manyToMany("tag", options as never)).toThrow(`The options of manyToMany() ${message}`);
});
