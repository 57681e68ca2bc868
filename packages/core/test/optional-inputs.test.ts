import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, memoryStore } from "../src/index.ts";
import { ask, send } from "./request.ts";

const output = z.object({ input: z.json() });
const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  actions: {
    tell: {
      on: "collection",
      access: allow,
      input: z.object({ why: z.string() }).optional(),
      output,
      run: ({ input = null }) => ({ input }),
    },
    count: {
      on: "item",
      access: allow,
      input: z.object({ by: z.int32() }).default({ by: 1 }),
      output,
      run: ({ input }) => ({ input }),
    },
    drop: { on: "collection", access: allow, input: z.object({ why: z.string() }), run: () => undefined },
  },
});
const api = defineApi({ resources: [note], store: memoryStore({ data: { note: [{ id: 1 }] } }) });

describe("an action with an optional input can be called without it", () => {
  test("in process", async () => {
    expect(await api.local.note.actions.tell()).toEqual({ input: null });
    expect(await api.local.note.actions.count(1)).toEqual({ input: { by: 1 } });
  });

  test.each<[string, object, number, unknown]>([
    ["/notes/tell", {}, 200, { input: null }],
    ["/notes/tell", { headers: { "content-type": "application/json" } }, 200, { input: null }],
    ["/notes/tell", { body: { why: "x" } }, 200, { input: { why: "x" } }],
    ["/notes/tell", { body: {} }, 422, { errors: [{ path: ["why"] }] }],
    ["/notes/tell", { text: "{}", headers: { "content-type": "text/plain" } }, 415, {}],
    ["/notes/1/count", {}, 200, { input: { by: 1 } }],
    ["/notes/drop", {}, 415, {}],
  ])("REST: POST %s %o", async (url, parts, status, body) => {
    expect(await send(api, "POST", url, parts)).toMatchObject({ status, body });
  });

  test("GraphQL", async () => {
    const query = `mutation {
      none: tellNotes { input }
      no: tellNotes(input: null) { input }
      some: tellNotes(input: { why: "x" }) { input }
      countNote(id: 1) { input }
    }`;
    expect(await ask(api, query)).toEqual({
      data: {
        none: { input: null },
        no: { input: null },
        some: { input: { why: "x" } },
        countNote: { input: { by: 1 } },
      },
    });
    const { tellNotes, dropNotes } = api.graphql.schema.getMutationType()?.getFields() ?? {};
    expect(tellNotes?.args.map(({ type }) => String(type))).toContain("TellNotesInput");
    expect(dropNotes?.args.map(({ type }) => String(type))).toContain("DropNotesInput!");
  });

  test("OpenAPI", () => {
    const { paths } = api.openapi() as { paths: Record<string, { post: { requestBody: { required: boolean } } }> };
    const required = ["/notes/tell", "/notes/{id}/count", "/notes/drop"].map(
      (path) => paths[path]?.post.requestBody.required,
    );
    expect(required).toEqual([false, false, true]);
  });
});
