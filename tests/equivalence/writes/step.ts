import fc from "fast-check";

/** The kinds of writes in long sequences: each operation of a resource, and changes that contain links or related rows. */
export const KINDS_OF_WRITES = 28;

export type Resource = "author" | "book" | "note" | "tag";

/** A write, independent of a style's syntax. */
export interface Step {
  readonly who: string;
  readonly kind:
    | "create"
    | "createMany"
    | "replace"
    | "update"
    | "updateMany"
    | "delete"
    | "deleteMany"
    | "link"
    | "unlink"
    | "publish"
    | "raise";
  readonly resource: Resource;
  readonly id?: number | string;
  readonly tag?: string;
  readonly input?: unknown;
  readonly filter?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The words of a bulk write of books. */
  readonly search?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: "*";
  /** The idempotency key, and whether GraphQL sends it as an argument instead of a header. */
  readonly key?: { readonly value: string; readonly isArgument: boolean };
}

const who = fc.oneof(
  { weight: 12, arbitrary: fc.constant("root") },
  { weight: 3, arbitrary: fc.constant("ed") },
  { weight: 1, arbitrary: fc.constantFrom("ann", "nobody") },
);
/** The ids of each resource start at 1. */
const id = fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 3 }) }, { weight: 1, arbitrary: fc.nat(99) });
const slug = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("a", "b", "b", "c") },
  { weight: 1, arbitrary: fc.constant("no") },
);
const usually = <T>(good: fc.Arbitrary<T>, ...bad: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 25, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom(...bad) });

const name = usually(fc.constantFrom("Ann", "Ben", "Émile"), "", "far too long");
const email = usually(fc.constantFrom(null, null, null, "a@example.org", "b@example.org", "c@example.org"), "a", "");
const price = usually(fc.constantFrom(0, 2.5, 40, 60), -1);
const fee = usually(fc.constantFrom("0.10", "0.3", "19.99", "-1.5", "9999.99"), "1.234", "10000.00", "1e1");
const title = usually(fc.constantFrom("Emma", " Zoo ", "forbidden"), "   ", "a title far too long");
const isbn = fc.constantFrom(null, null, null, "1", "2", "3", "4");
const text = usually(fc.constantFrom("kept", "new"), "");

type Parts = Readonly<Record<string, fc.Arbitrary<unknown>>>;
const some = (fields: Parts): fc.Arbitrary<unknown> => fc.record(fields, { requiredKeys: [] });

const authorFields = { name, email };
const bookFields = { title, isbn, price, fee };
const tagFields = { name: usually(fc.constantFrom("Classic", "New"), ""), kind: usually(fc.constant("k"), "other") };
const note = fc.record({ text });
const slugs = fc.uniqueArray(slug, { maxLength: 2 });
const links = fc.oneof(
  slugs,
  slugs,
  fc.constantFrom(["a", "a"], null),
  fc.record({ add: slugs, remove: slugs }, { requiredKeys: [] }),
);
const onlyOne = { maxLength: 1 };
/** The seeded rows are related to each other in their order, so equal ids often match. */
const noteChanges = (its: fc.Arbitrary<number | string>) =>
  some({
    create: fc.array(note, onlyOne),
    update: fc.array(fc.record({ id: its, text }), onlyOne),
    delete: fc.array(its, onlyOne),
  });
const bookInside = fc.record(
  { ...bookFields, isPublished: fc.boolean(), notes: fc.array(note, { maxLength: 2 }), tags: slugs },
  { requiredKeys: ["title", "price"] },
);
const author = fc.record(
  { ...authorFields, rank: fc.integer({ min: 0, max: 3 }), books: fc.array(bookInside, { maxLength: 2 }) },
  { requiredKeys: ["name"] },
);
const book = fc.oneof(
  fc.record(
    { ...bookFields, isPublished: fc.boolean(), authorId: id, notes: fc.array(note, { maxLength: 2 }), tags: slugs },
    { requiredKeys: ["title", "price", "authorId"] },
  ),
  fc.record({ ...bookFields, author: fc.record({ name, email }) }, { requiredKeys: ["title", "price", "author"] }),
);

const precondition = fc.option(fc.constantFrom("*", "*", "stale", "1", "2"), { nil: undefined, freq: 2 });
const filter = fc.oneof(
  fc.record({ id: fc.record({ in: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }) }) }),
  fc.record({ id: fc.record({ lte: id }) }),
);
/** A delete leaves rows for later writes. */
const few = fc.record({
  id: fc.record({ in: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 1, maxLength: 2 }) }),
});
const words = fc.option(fc.constantFrom("emma", "zo", "E"), { nil: undefined, freq: 2 });
const bookFilter = fc.oneof(
  { weight: 2, arbitrary: filter },
  fc.record({ price: fc.record({ gte: fc.constantFrom(0, 2.5, 60) }) }),
  { weight: 2, arbitrary: fc.record({ fee: fc.record({ lt: fc.constantFrom("0.3", "20", "9999.99") }) }) },
);

const step =
  (kind: Step["kind"], resource: Resource) =>
  (parts: Parts): fc.Arbitrary<Step> =>
    fc.record({ who, kind: fc.constant(kind), resource: fc.constant(resource), ...parts }).map((all) => {
      const given = Object.entries(all).filter(([, value]) => value !== undefined);
      return Object.fromEntries(given) as unknown as Step;
    });
const many = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.array(one, { minLength: 1, maxLength: 3 });

const replacedBookFields: Parts = { ...bookFields, isPublished: fc.boolean(), authorId: id };
const replacedBook = fc.record(replacedBookFields);
const replacedAuthor = fc.record({ ...authorFields, rank: fc.integer({ min: 0, max: 3 }) });
const onTags = { id: slug, ifMatch: precondition };

const creates = [
  step("create", "author")({ input: author }),
  step("create", "book")({ input: book }),
  step("create", "note")({ input: fc.record({ text, bookId: id }) }),
  step("create", "tag")({ input: fc.record({ slug: usually(slug, "CAPITAL"), ...tagFields }) }),
];
/** The input contains the key too, because GraphQL requires it. */
const replaceTag = (parts: Parts): fc.Arbitrary<Step> =>
  step(
    "replace",
    "tag",
  )({ ...parts, id: slug, input: fc.record({ slug: fc.constant(undefined), ...tagFields }) }).map((one) => ({
    ...one,
    input: { ...(one.input as object), slug: one.id },
  }));
const others = [
  step("createMany", "author")({ input: many(author) }),
  step("createMany", "book")({ input: many(book) }),
  step("replace", "author")({ id, input: replacedAuthor, ifMatch: precondition }),
  step("replace", "book")({ id, input: replacedBook, ifMatch: precondition }),
  replaceTag({ ifMatch: precondition }),
  replaceTag({ ifNoneMatch: fc.constant("*") }),
  step(
    "update",
    "author",
  )({ id, input: some({ ...authorFields, rank: fc.integer({ max: 3 }) }), ifMatch: precondition }),
  step(
    "update",
    "book",
  )({
    id,
    input: some({ ...bookFields, isPublished: fc.boolean(), authorId: id }),
    ifMatch: precondition,
  }),
  ...[1, 2].map((one) =>
    step(
      "update",
      "book",
    )({
      id: usually(fc.constant(one), 3),
      input: fc.record(
        { ...bookFields, notes: noteChanges(usually(fc.constant(one), 3)), tags: links },
        { requiredKeys: ["notes", "tags"] },
      ),
    }),
  ),
  step("replace", "book")({ id, input: fc.record({ ...replacedBookFields, tags: slugs }) }),
  step(
    "update",
    "author",
  )({
    id: usually(fc.constant(1), 2),
    input: fc.record(
      {
        name,
        books: some({
          create: fc.array(bookInside, onlyOne),
          update: fc.array(
            fc.record({ id: fc.constantFrom(1, 2), price, tags: links }, { requiredKeys: ["id"] }),
            onlyOne,
          ),
          delete: fc.array(fc.constantFrom(1, 2), onlyOne),
        }),
      },
      { requiredKeys: ["books"] },
    ),
  }),
  step("update", "note")({ id, input: some({ text, bookId: id }) }),
  step("update", "tag")({ ...onTags, input: some({ name: tagFields.name }) }),
  step("updateMany", "author")({ filter, input: some({ name }) }),
  step(
    "updateMany",
    "book",
  )({ filter: fc.option(bookFilter, { nil: undefined }), search: words, input: some({ title, price, fee }) }),
  step("delete", "author")({ id: fc.constantFrom(1, 2, 3, 3, 3, 4), ifMatch: precondition }),
  step("delete", "book")({ id, ifMatch: precondition }),
  step("delete", "note")({ id }),
  step("delete", "tag")(onTags),
  step("deleteMany", "author")({ filter: few }),
  step("deleteMany", "book")({ filter: few, search: words }),
  step("link", "book")({ id, tag: slug }),
  step("link", "book")({ id, tag: slug }),
  step("link", "book")({ id, tag: slug }),
  step("unlink", "book")({ id, tag: slug }),
  step("publish", "book")({ id, input: fc.record({ price: fc.constantFrom(5, 80, 91) }) }),
  step("raise", "book")({ input: fc.record({ by: fc.constantFrom(-5, 1, 50) }) }),
];

const as = (kind: Step["kind"], resource: Resource, input: unknown): Step => ({ who: "root", kind, resource, input });
const old = (name_: string) => ({ title: name_, price: 9, notes: [{ text: "old" }] });
const first: readonly Step[] = [
  as("createMany", "author", [
    { name: "Ann", books: [old("One"), old("Two")] },
    { name: "Ben", books: [old("Three")] },
    { name: "Cy" },
  ]),
  as("create", "tag", { slug: "a", name: "Classic", kind: "k" }),
  as("create", "tag", { slug: "b", name: "New", kind: "k" }),
  { who: "root", kind: "link", resource: "book", id: 1, tag: "a" },
  { who: "root", kind: "link", resource: "book", id: 2, tag: "b" },
];

/** Whether a change contains links or related rows. */
export function hasParts({ kind, input }: Step): boolean {
  if (kind !== "update" && kind !== "replace") return false;
  return ["notes", "tags", "books"].some((part) => Object.hasOwn(input as object, part));
}

const KEYED: ReadonlySet<Step["kind"]> = new Set(["create", "createMany", "replace", "update", "publish", "raise"]);

function withOtherValue(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  if ("price" in input) return { ...input, price: 3 };
  return "name" in input ? { ...input, name: "Other" } : input;
}

/** Some writes have an idempotency key. Most of these are sent again, sometimes with another input. */
const withKeys = (sequence: readonly Step[]): fc.Arbitrary<readonly Step[]> =>
  fc.array(fc.record({ kind: fc.nat(9), isArgument: fc.boolean() }), { minLength: 12, maxLength: 12 }).map((drawn) =>
    sequence.flatMap((one, at): readonly Step[] => {
      const { kind = 9, isArgument = false } = drawn[at] ?? {};
      if (kind > 3 || !KEYED.has(one.kind)) return [one];
      const keyed = { ...one, key: { value: `key ${at}`, isArgument } };
      if (kind === 0) return [keyed];
      return kind === 1
        ? [keyed, { ...keyed, input: withOtherValue(keyed.input) }]
        : [keyed, { ...keyed, key: { ...keyed.key, isArgument: !isArgument } }];
    }),
  );

/** Rows are created first, so that most writes have rows to act on. */
export const steps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constant(first),
    fc
      .array(fc.oneof({ weight: 1, arbitrary: fc.oneof(...creates) }, { weight: 4, arbitrary: fc.oneof(...others) }), {
        minLength: 4,
        maxLength: 12,
        size: "max",
      })
      .chain(withKeys),
  )
  .map((all) => all.flat());
