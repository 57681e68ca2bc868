import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, hasMany, memoryStore, signedIn } from "../../../src/index.ts";
import { answerText } from "../../answer.ts";

test.each(["books @include(if: true)", "... @defer { books", "books { nodes @stream(initialCount: 0) { id } }"])(
  "sends an empty page to a caller who can't read any row: %s",
  async (part) => {
    const access = { read: allow, create: allow, update: allow, delete: allow };
    const author = defineResource("author", {
      fields: { id: z.int32() },
      relations: { books: hasMany("book", "authorId") },
      access,
    });
    const book = defineResource("book", {
      fields: { id: z.int32(), authorId: z.int32() },
      access: { ...access, read: signedIn },
    });
    const api = defineApi({
      resources: [author, book],
      store: memoryStore({ data: { author: [{ id: 1 }], book: [{ id: 1, authorId: 1 }] } }),
      graphql: { incremental: true, nonNullConnections: true },
    });
    const selection = part.endsWith("}")
      ? part
      : `${part} { totalCount nodes { id } }${part.startsWith("...") ? " }" : ""}`;
    const { text } = await answerText(api, "POST", "/graphql", {
      body: { query: `{ author(id: 1) { id ${selection} } }` },
      headers: { accept: "multipart/mixed" },
    });
    expect(text).not.toContain("errors");
    expect(text).toContain('"nodes":[]');
  },
);
