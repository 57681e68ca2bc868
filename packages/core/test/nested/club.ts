import { z } from "zod";
import {
  allow,
  belongsTo,
  BifocalError,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  type Principal,
  sequence,
  signedIn,
  silentLog,
  type Store,
} from "../../src/index.ts";

const isEditor = ({ principal }: { readonly principal: Principal | null }): boolean =>
  principal?.roles?.includes("editor") ?? false;

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string().min(1) },
  generated: { id: sequence() },
  relations: {
    tags: manyToMany("tag", { links: 4 }),
    reviews: hasMany("review", "bookId", { creates: 2, writes: { create: 2, update: 2, delete: 2 } }),
    lists: manyToMany("list"),
  },
  bulk: { create: 5, update: 5 },
  filterable: ["title"],
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
});

const tag = defineResource("tag", {
  fields: { name: z.string(), isSecret: z.boolean(), isLocked: z.boolean().default(false) },
  key: "name",
  relations: { books: manyToMany("book") },
  access: {
    read: (asked) => isEditor(asked) || { isSecret: { eq: false } },
    create: signedIn,
    update: signedIn,
    delete: signedIn,
    relations: { books: { link: (asked) => isEditor(asked) || { isLocked: { eq: false } } } },
  },
});

const list = defineResource("list", {
  fields: { id: z.int32() },
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
});

const review = defineResource("review", {
  fields: {
    id: z.int32(),
    stars: z.int32().min(1).max(5),
    slot: z.int32().nullish(),
    bookId: z.int32(),
    isHidden: z.boolean().default(false),
  },
  generated: { id: sequence() },
  unique: ["slot"],
  relations: {
    book: belongsTo("book", "bookId"),
    replies: hasMany("reply", "reviewId", { creates: 2, writes: { create: 2, update: 2, delete: 2 } }),
  },
  hooks: {
    update: {
      before: ({ input }) => {
        if (input.stars === 2) throw new BifocalError("CONFLICT", "Nobody gives two stars.");
      },
    },
  },
  access: {
    read: (asked) => isEditor(asked) || { isHidden: { eq: false } },
    create: signedIn,
    update: (asked) => isEditor(asked) || { stars: { lt: 5 } },
    delete: hasRole("editor"),
  },
});

const reply = defineResource("reply", {
  fields: { id: z.int32(), text: z.string().min(1), reviewId: z.int32() },
  generated: { id: sequence() },
  relations: { review: belongsTo("review", "reviewId", { onDelete: "cascade" }) },
  access: { read: allow, create: signedIn, update: signedIn, delete: signedIn },
});

const CALLERS: Readonly<Record<string, Principal>> = {
  editor: { id: "ed", roles: ["editor"] },
  reader: { id: "ann", roles: [] },
};

/** An empty API that accepts `Authorization: editor` and `reader`. */
export function createClub(store: Store = memoryStore()) {
  return defineApi({
    resources: [book, tag, list, review, reply],
    store,
    log: silentLog,
    auth: {
      challenge: "Bearer",
      schemes: { bearer: { type: "http", scheme: "bearer" } },
      authenticate: ({ headers }) => CALLERS[String(headers["authorization"])] ?? null,
    },
  });
}
