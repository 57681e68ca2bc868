import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allow, defineApi, defineResource } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

test("several APIs can create and share one new file at the same time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bifocal-"));
  const apis = Array.from({ length: 6 }, () =>
    defineApi({
      resources: [defineResource("note", { fields: { id: z.int32(), text: z.string() }, access })],
      store: sqlStore(`sqlite:${join(folder, "notes.db")}`),
    }),
  );
  await Promise.all(apis.map(async ({ local }, id) => local.note.create({ id, text: "t" })));
  const [first] = apis;
  const page = await first?.local.note.list({});
  expect(page?.items.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
  await Promise.all(apis.map((api) => api.close()));
  rmSync(folder, { recursive: true, force: true });
});
