import type { Principal } from "@bifocal/core";
import { type Operation, printOperation } from "@bifocal/core/operation";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { request } from "@bifocal/test-servers/request";
import {
  type AggregateQuestion,
  aggregateQuestion,
  groupsDocument,
  groupsIn,
  groupsUrl,
} from "./aggregate-question.ts";
import { CALLERS, createLibrary } from "./library.ts";
import { KINDS, type Recorded } from "./stores.ts";

const RUNS = Number(process.env["EQUIVALENCE_RUNS"] ?? 1000);

type Library = ReturnType<typeof createLibrary>["api"];

interface Answer {
  readonly operations: string;
  readonly code: string | undefined;
  readonly groups: unknown;
  readonly total: unknown;
}

async function send(api: Library, principal: Principal | null, method: string, url: string, body?: unknown) {
  const operations: Operation[] = [];
  const stop = api.observe((operation) => operations.push(operation));
  const caller = principal === null ? {} : { authorization: `Bearer ${principal.id}` };
  const asked = request(method, url, { headers: { accept: "application/json", ...caller }, body });
  try {
    const response = await api.handle(asked);
    const json = JSON.parse(response?.body as string) as Record<string, unknown>;
    return { operations: operations.map(printOperation).join("\n"), json, headers: response?.headers ?? {} };
  } finally {
    stop();
  }
}

async function byRest(api: Library, principal: Principal | null, question: AggregateQuestion): Promise<Answer> {
  const { operations, json, headers } = await send(api, principal, "GET", groupsUrl(question));
  const code = json["code"] as string | undefined;
  if (code !== undefined) return { operations, code, groups: undefined, total: undefined };
  const total = question.isEmbedded ? undefined : Number(headers["Total-Count"]);
  return { operations, code, groups: groupsIn(question, json), total };
}

async function byGraphql(api: Library, principal: Principal | null, question: AggregateQuestion): Promise<Answer> {
  const body = { query: groupsDocument(question) };
  const { operations, json } = await send(api, principal, "POST", "/graphql", body);
  const errors = (json["errors"] ?? []) as { extensions?: { code?: string } }[];
  const data = json["data"] as Record<string, unknown> | null | undefined;
  const answer = question.id === undefined ? data?.["answer"] : (data?.["owner"] as Record<string, unknown> | null);
  const page = question.id === undefined ? answer : (answer as Record<string, unknown> | null)?.["answer"];
  if (page === undefined || page === null) {
    return { operations, code: errors[0]?.extensions?.code ?? "NOT_FOUND", groups: undefined, total: undefined };
  }
  const { nodes, totalCount } = page as { nodes: Record<string, unknown>[]; totalCount: number };
  return {
    operations,
    code: undefined,
    groups: nodes.map((node) => asRestGroup(node, question)),
    total: question.isEmbedded ? undefined : totalCount,
  };
}

/** Renames `createdAtMonth` to `createdAt.month`, and leaves out values that the rows aren't grouped by. */
function asRestGroup(node: Record<string, unknown>, { group }: AggregateQuestion): unknown {
  const keys = (node["group"] ?? {}) as Record<string, unknown>;
  const nameOf = (name: string): string => name.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
  return { ...node, group: Object.fromEntries(group.map((name) => [name, keys[nameOf(name)]])) };
}

/** The responses with groups in all stores that show a feature. */
const counts = { runs: 0, search: 0, having: 0, extremes: 0, small: 0, related: 0, decimals: 0 };

/** Adds a response with groups. */
function count(asked: AggregateQuestion, groups: readonly Readonly<Record<string, unknown>>[]): void {
  if (asked.search !== undefined) counts.search += 1;
  if (asked.having.length > 0) counts.having += 1;
  if (asked.measures.some((name) => /^(min|max)\./.test(name))) counts.extremes += 1;
  if (groups.some((group) => group["count"] === 1)) counts.small += 1;
  if (asked.id !== undefined) counts.related += 1;
  if (JSON.stringify(groups).includes('"amount":"')) counts.decimals += 1;
}

describe.each(KINDS)("on $name", ({ missing, share, create }) => {
  let recorded: Recorded;
  let library: ReturnType<typeof createLibrary>;
  beforeAll(async () => {
    if (missing !== undefined) return;
    recorded = await create();
    library = createLibrary({ store: recorded.store, sales: true });
    await library.fill();
  }, 60_000);
  afterAll(async () => {
    await library?.api.close();
    await recorded?.drop();
  });

  test.skipIf(missing !== undefined).each(CALLERS)(
    "a URL and a document that ask for the same groups lower to the same operation for $name",
    async ({ principal }) => {
      const numRuns = Math.ceil(RUNS * share);
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(aggregateQuestion, async (asked) => {
          const rest = await byRest(library.api, principal, asked);
          const graphql = await byGraphql(library.api, principal, asked);
          expect(rest.operations).not.toBe("");
          expect(graphql.operations).toBe(rest.operations);
          expect([graphql.code, graphql.total, graphql.groups]).toEqual([rest.code, rest.total, rest.groups]);
          const groups = (rest.groups ?? []) as readonly Readonly<Record<string, unknown>>[];
          if (groups.length === 0) return;
          answered += 1;
          count(asked, groups);
        }),
        { numRuns, seed: drawSeed("EQUIVALENCE_SEED") },
      );
      counts.runs += numRuns;
      // Measured over 1,360 requests: 0.22 of the responses to anonymous callers have groups, and 0.36 of those to admins.
      expect(answered / numRuns).toBeGreaterThan(0.08);
    },
    3_600_000,
  );
});

/** The least share of the requests, about a third of the share that was measured. */
const LEAST = { search: 0.04, having: 0.02, extremes: 0.05, small: 0.02, related: 0.02, decimals: 0.02 };

test("enough responses show each feature", () => {
  const shares = Object.entries(LEAST).map(([name, least]) => ({
    name,
    share: counts[name as keyof typeof LEAST] / counts.runs,
    least,
  }));
  if (process.env["PRINT_COUNTS"] !== undefined) console.table(shares);
  expect(shares.filter(({ share, least }) => share < least)).toEqual([]);
});
