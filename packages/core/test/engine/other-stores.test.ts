import { allow, defineApi, defineResource, memoryStore, silentLog, uuid } from "@bifocal/core";
import type { ChangeStream } from "@bifocal/core/operation";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };
type Write = (id: number) => Promise<unknown>;
/** Set by each test: how the hook writes to the store outside its transaction. */
let write: (create: Write) => Promise<unknown>;
let createLine: Write;

const line = defineResource("line", { fields: { id: z.int32() }, access });
const book = defineResource("book", {
  fields: { id: z.uuid(), fails: z.boolean() },
  generated: { id: uuid() },
  access,
  hooks: {
    create: {
      before: async ({ input, stores }) => {
        const lines = stores("line");
        await write((id) => lines.create({ id }));
        if (input.fails === true) throw new Error("It fails after it has written.");
      },
    },
  },
});

function createApi() {
  return defineApi({
    resources: [book, line],
    store: memoryStore(),
    stores: { line: memoryStore() },
    log: silentLog,
  });
}

async function watch({ run }: ReturnType<typeof createApi>): Promise<ChangeStream> {
  const caller = { principal: null, signal: undefined, requestId: () => "test" };
  const selection = { fields: ["id"], relations: [] };
  const outcome = await run({ kind: "watch", resource: "line", on: ["created"], selection }, caller);
  if (outcome.kind !== "stream") throw new Error("There is no stream.");
  return outcome.changes;
}

describe.each([
  ["its rows", (create: Write) => create(1)],
  ["a local call", () => createLine(1)],
] as const)("a write of a hook to another store by %s", (_, how) => {
  let api: ReturnType<typeof createApi>;
  beforeEach(() => {
    api = createApi();
    write = how;
    createLine = (id) => api.local.line.create({ id });
    return () => api.close();
  });

  test.each([false, true])("stays and sends its event, whether the operation fails: %s", async (fails) => {
    const changes = await watch(api);
    const made = await api.local.book.create({ fails }).then(
      () => true,
      () => false,
    );
    expect(made).toBe(!fails);
    await createLine(2);
    const heard = [(await changes.next()).value, (await changes.next()).value];
    expect(heard).toMatchObject([
      { kind: "created", key: 1 },
      { kind: "created", key: 2 },
    ]);
    expect((await api.local.line.list()).items).toEqual([{ id: 1 }, { id: 2 }]);
    await changes.return();
  });
});
