import {
  allow,
  apiKeyResource,
  apiKeys,
  createApiKey,
  DEFAULT_LIMITS,
  defineApi,
  defineResource,
  type Limits,
  memoryStore,
  silentLog,
} from "@bifocal/core";
import { SERVER_OPTIONS } from "@bifocal/node-http";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { ROOT } from "./snippets.ts";

const page = readFileSync(`${ROOT}docs/secure-in-production.md`, "utf8");
const rows = page.slice(page.indexOf("## The defaults")).split("\n").slice(6);
const rowOf = (what: string): string => rows.find((row) => row.startsWith(`| ${what} |`)) ?? `no row about ${what}`;
/** Numbers in the table next to the name of their limit. */
const named = rows.flatMap((row) => [...row.matchAll(/`limits\.(\w+)\.(\w+)` ([\d,]+)/g)]);

test("lists the limits with the defaults of the code", () => {
  const listed = named.map(([, group, name, value]) => [`${group}.${name}`, Number(value?.replaceAll(",", ""))]);
  const limitOf = (group = "", name = ""): unknown =>
    new Map<string, unknown>(Object.entries(DEFAULT_LIMITS[group as keyof Limits])).get(name);
  expect(listed).toEqual(named.map(([, group, name]) => [`${group}.${name}`, limitOf(group, name)]));
  // Limits in the list of secure defaults. docs/limits.md has the others.
  expect(new Set(listed.map(([name]) => name)).size).toBe(34);
});

test("states a default in every row, and a reason if it could be stricter", () => {
  for (const row of rows.filter((line) => line !== "")) expect(row.split("|").length).toBe(6);
});

const access = { read: allow, create: allow, update: allow, delete: allow };
const note = defineResource("note", { fields: { id: z.int32() }, access });

test("lists other defaults correctly", async () => {
  const api = defineApi({
    resources: [note, apiKeyResource()],
    store: memoryStore(),
    auth: apiKeys({ resource: "apiKey" }),
    log: silentLog,
  });
  const { page: size, bulk, cache } = api.model.resources.get("note") ?? {};
  expect(rowOf("size of a page")).toContain(`| ${size?.size}, at most ${size?.max} |`);
  expect([bulk, cache]).toEqual([{ create: 0, update: 0, delete: 0 }, undefined]);
  const { headersTimeout, requestTimeout, connectionsCheckingInterval, keepAliveTimeout } = SERVER_OPTIONS;
  const [head, whole, every, idle] = [
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval,
    keepAliveTimeout,
  ].map((milliseconds) => `${milliseconds / 1_000} s`);
  expect(rowOf("times of the server")).toContain(`${head}, ${whole}, every ${every}, ${idle} |`);
  const { expiresAt, createdAt } = await createApiKey(api, { name: "CI", principalId: "ann" });
  const days = (Date.parse(expiresAt ?? "") - Date.parse(createdAt)) / 86_400_000;
  expect(rowOf("API keys")).toContain(`for ${Math.round(days)} days`);
  await api.close();
});
