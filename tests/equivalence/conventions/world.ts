import {
  apiKeys,
  allow,
  type Bus,
  belongsTo,
  compose,
  defineApi,
  defineResource,
  generate,
  hasMany,
  hasRole,
  type Principal,
  principalId,
  signedIn,
  silentLog,
  type Store,
  trait,
} from "@bifocal/core";
import fc from "fast-check";
import { z } from "zod";

/** The conventions of one resource. */
export interface Conventions {
  readonly softDelete: boolean;
  readonly tenant: boolean;
  readonly history: boolean;
  /** Rows name the callers who created and changed them. */
  readonly stamped: boolean;
}

export interface World {
  readonly author: Conventions;
  readonly book: Conventions;
  readonly onDelete: "cascade" | "restrict" | "setNull";
}

const conventions = fc.record({
  softDelete: fc.boolean(),
  tenant: fc.boolean(),
  history: fc.boolean(),
  stamped: fc.boolean(),
});

/** Rows without tenant can't reference those with one, and a soft deletion cascades only to resources with softDelete. */
export const worlds: fc.Arbitrary<World> = fc
  .record({ author: conventions, book: conventions, onDelete: fc.constantFrom("cascade", "restrict", "setNull") })
  .map(({ author, book, onDelete }) => ({
    author,
    onDelete,
    book: {
      ...book,
      tenant: book.tenant || author.tenant,
      softDelete: book.softDelete || (author.softDelete && onDelete === "cascade"),
    },
  }));

const CALLERS: readonly Principal[] = [
  { id: "ann", roles: ["editor"], claims: { shop: "a" } },
  { id: "mod", roles: ["editor", "moderator"], claims: { shop: "a" } },
  { id: "ben", roles: ["editor", "moderator"], claims: { shop: "b" } },
  { id: "lost", roles: ["editor"] },
];
const tenant = { field: "shopId", of: ({ claims }: Principal) => claims?.["shop"] as string | undefined } as const;

const stamps = () =>
  trait({
    fields: { createdBy: z.string().nullable(), updatedBy: z.string().nullable() },
    generated: { createdBy: principalId(), updatedBy: principalId({ on: "update" }) },
  });

/** Authors and books with the conventions of a world. */
export function createWorldApi(world: World, store: Store, bus: Bus | undefined) {
  const last = { author: 0, book: 0 };
  const count = (name: keyof typeof last) => generate(() => (last[name] += 1));
  const access = { read: allow, create: signedIn, update: signedIn, delete: hasRole("editor") };
  const deletedAt = z.iso.datetime().nullable();
  const more = (own: Conventions) => ({
    ...(own.softDelete ? { softDelete: "deletedAt" } : {}),
    ...(own.tenant ? { tenant } : {}),
    ...(own.history ? { history: true } : {}),
    access: { ...access, ...(own.softDelete ? { deleted: hasRole("moderator") } : {}) },
  });
  const fields = (own: Conventions) => ({
    ...(own.softDelete ? { deletedAt } : {}),
    ...(own.tenant ? { shopId: z.string().max(10) } : {}),
  });
  const composed = (own: Conventions, part: object): object => (own.stamped ? compose(stamps(), part as never) : part);
  const author = defineResource("author", {
    ...composed(world.author, {
      fields: { id: z.int32(), name: z.string().min(1).max(20), ...fields(world.author) },
      generated: { id: count("author") },
    }),
    relations: { books: hasMany("book", "authorId") },
    filterable: ["id"],
    ...more(world.author),
  } as never);
  const book = defineResource("book", {
    ...composed(world.book, {
      fields: {
        id: z.int32(),
        title: z.string().min(1).max(20),
        authorId: z.int32().nullable(),
        ...fields(world.book),
      },
      generated: { id: count("book") },
    }),
    unique: ["title"],
    relations: { author: belongsTo("author", "authorId", { onDelete: world.onDelete }) },
    filterable: ["id"],
    bulk: { create: 5, update: 20, delete: 20 },
    actions: {
      shout: {
        on: "item",
        access: signedIn,
        run: ({ item, store: books }: never) =>
          (books as { update: (key: number, set: object) => Promise<unknown> }).update((item as { id: number }).id, {
            title: `${(item as { title: string }).title}!`,
          }),
      },
    },
    ...more(world.book),
  } as never);
  const api = defineApi({
    resources: [author, book],
    store,
    ...(bus === undefined ? {} : { events: { bus } }),
    auth: apiKeys(Object.fromEntries(CALLERS.map((one) => [one.id, one]))),
    log: silentLog,
  });
  return { api, last };
}

export type WorldApi = ReturnType<typeof createWorldApi>;
