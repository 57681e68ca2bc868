import { z } from "zod";
import {
  allow,
  type ApiOptions,
  belongsTo,
  defineApi,
  defineResource,
  generate,
  hasMany,
  hasOne,
  hasRole,
  memoryStore,
  type Principal,
  sequence,
  signedIn,
} from "../../src/index.ts";

const open = { read: allow, update: allow, delete: allow };

const writer = defineResource("writer", {
  fields: { id: z.int32(), name: z.string().min(1) },
  generated: { id: sequence() },
  relations: {
    works: hasMany("work", "writerId", { creates: 3 }),
    profile: hasOne("profile", "writerId", { creates: 1 }),
  },
  access: { ...open, create: signedIn },
});

const profile = defineResource("profile", {
  fields: { id: z.int32(), text: z.string(), writerId: z.int32() },
  generated: { id: sequence() },
  relations: { writer: belongsTo("writer", "writerId") },
  unique: ["writerId"],
  access: { ...open, create: signedIn },
});

const work = defineResource("work", {
  fields: {
    id: z.int32(),
    title: z.string().min(1),
    year: z.int32().default(2000),
    writerId: z.int32(),
    houseId: z.int32().nullable(),
  },
  generated: { id: sequence() },
  relations: {
    writer: belongsTo("writer", "writerId", { creates: 1 }),
    house: belongsTo("house", "houseId", { creates: 1 }),
    opinions: hasMany("opinion", "workId", { creates: 2 }),
  },
  unique: ["title"],
  bulk: { create: 4 },
  sortable: ["title"],
  access: { ...open, create: signedIn },
});

const house = defineResource("house", {
  fields: { id: z.int32(), name: z.string(), note: z.string().nullish() },
  generated: { id: sequence() },
  access: { ...open, create: hasRole("editor"), fields: { note: { write: hasRole("admin") } } },
});

const opinion = defineResource("opinion", {
  fields: { id: z.int32(), stars: z.int32().min(1).max(5), by: z.string(), workId: z.int32() },
  generated: { id: sequence(), by: generate(() => "somebody") },
  relations: { work: belongsTo("work", "workId"), replies: hasMany("reply", "opinionId", { creates: 1 }) },
  // A rule that needs the row.
  access: { ...open, create: ({ principal, input }) => principal !== null && Number(input?.workId) < 1_000 },
});

const reply = defineResource("reply", {
  fields: { id: z.int32(), text: z.string(), opinionId: z.int32() },
  generated: { id: sequence() },
  access: { ...open, create: hasRole("editor") },
});

export const EDITOR: Principal = { id: "ed", roles: ["editor"] };
export const READER: Principal = { id: "ann", roles: [] };
const CALLERS: Readonly<Record<string, Principal>> = { editor: EDITOR, reader: READER };

/** An empty API that accepts `Authorization: editor` and `reader`. */
export function createShelf(
  options: Partial<
    ApiOptions<readonly [typeof writer, typeof profile, typeof work, typeof house, typeof opinion, typeof reply]>
  > = {},
) {
  return defineApi({
    resources: [writer, profile, work, house, opinion, reply],
    store: memoryStore(),
    auth: {
      challenge: "Bearer",
      schemes: { bearer: { type: "http", scheme: "bearer" } },
      authenticate: ({ headers }) => CALLERS[String(headers["authorization"])] ?? null,
    },
    ...options,
  });
}

export const AS_EDITOR = { authorization: "editor" };
export const AS_READER = { authorization: "reader" };
