import { allow, defineApi, defineResource } from "@bifocal/core";
import { Buffer } from "node:buffer";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { apiConsole } from "../src/index.ts";

const MAX_BYTES = 40 * 1024;

const note = defineResource("note", {
  fields: { id: z.int32(), text: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const pathsOf = (developerPages?: boolean): readonly string[] =>
  defineApi({
    resources: [note],
    console: apiConsole(),
    warnings: false,
    ...(developerPages === undefined ? {} : { developerPages }),
  })
    .routes.map(({ path }) => path)
    .filter((path) => path.includes("console"));

afterEach(() => vi.unstubAllEnvs());

test("has at most 40 KiB of files, and nothing inline", () => {
  const { assets, page } = apiConsole();
  const html = page({
    title: "Notes <1>",
    prefix: "/api",
    assets: "/api/-",
    credentialHeaders: ["X-<Key>"],
    explains: true,
  });
  const sizes = Object.values(assets).map(({ body }) => Buffer.byteLength(body as string));
  expect(sizes.reduce((sum, size) => sum + size, html.length)).toBeLessThanOrEqual(MAX_BYTES);
  expect(html).not.toMatch(/<style|style=|<script>| on\w+=|<1>|<Key>/);
});

test("can have another name and other colors", () => {
  const { assets, page } = apiConsole({ name: "Notebook", css: ":root{--accent:#7a1fa2}" });
  const html = page({ title: "Notes", prefix: "", assets: "/-", credentialHeaders: [], explains: false });
  expect(html).toContain("<title>Notebook: Console</title>");
  expect(html).not.toContain("Notes");
  expect(assets?.["console.css"]?.body).toMatch(/^:root\{.*--accent:.*:root\{--accent:#7a1fa2\}$/s);
});

test("is served by default", () => {
  expect(pathsOf()).toEqual(["/-/console.css", "/-/console.js", "/console", "/console/model"]);
});

test("is not served in production, unless it is enabled", () => {
  vi.stubEnv("NODE_ENV", "production");
  expect(pathsOf()).toEqual([]);
  expect(pathsOf(true)).toContain("/console");
});
