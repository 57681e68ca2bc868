import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, silentLog } from "../../src/index.ts";
import { printOperation } from "../../src/operations.ts";
import { answerText } from "../answer.ts";
import { send } from "../request.ts";
import { startShop } from "./shop.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const QUERY = "aggregate=count,max.price&group=genre&sort=-count&having[count][gte]=1&page[size]=2";

/** The operations at a path of the OpenAPI document. */
async function described(api: Parameters<typeof send>[0], path: string, query = "") {
  const { body } = await send(api, "GET", `/openapi.json${query}`);
  const { paths } = body as { paths: Record<string, Record<string, unknown>> };
  return paths[path];
}

describe("the path of groups", () => {
  test("returns what the collection returns for the same parameters", async () => {
    const api = startShop();
    const seen: string[] = [];
    api.observe((operation) => seen.push(printOperation(operation)));
    const own = await send(api, "GET", `/books/aggregate?${QUERY}`);
    const same = await send(api, "GET", `/books?${QUERY}`);
    expect(own).toMatchObject({ status: 200, headers: { "Total-Count": "4" } });
    expect(own.body).toEqual(same.body);
    expect(seen[0]).toBe(seen[1]);
    expect(own.headers["Link"]).toContain("/books/aggregate?");
  });

  test("counts the rows without 'aggregate' and 'group'", async () => {
    const api = startShop();
    const counted = [{ group: {}, count: 4 }];
    expect((await send(api, "GET", "/books/aggregate?filter[price][gt]=0")).body).toEqual(counted);
    const body = { filter: { price: { gt: 0 } } };
    expect((await send(api, "QUERY", "/books/aggregate", { body })).body).toEqual(counted);
    expect((await send(api, "GET", "/books/aggregate?group=isDraft")).body).toEqual([{ group: { isDraft: false } }]);
  });

  test("follows pages, and has the formats of groups", async () => {
    const api = startShop();
    const first = await send(api, "GET", `/books/aggregate?${QUERY}`);
    const next = /<([^>]*)>; rel="next"/.exec(first.headers["Link"] ?? "")?.[1] ?? "";
    expect((await send(api, "GET", next)).body).toHaveLength(2);
    const { text } = await answerText(api, "GET", "/books/aggregate", { headers: { accept: "text/csv" } });
    expect(text).toMatch(/^count\r?\n6/);
  });

  test.each([
    ["fields=title", 400],
    ["aggregate=sum.title", 400],
    ["aggregate=max.margin", 403],
  ])("rejects %s with %i", async (query, status) => {
    expect(await send(startShop(), "GET", `/books/aggregate?${query}`)).toMatchObject({ status });
  });

  test("supports no other method", async () => {
    const { status, headers } = await send(startShop(), "DELETE", "/books/aggregate");
    expect([status, headers["Allow"]]).toEqual([405, "GET, HEAD, QUERY, OPTIONS"]);
  });

  test.each(["", "?formats=all"])("is in the OpenAPI document%s, with one kind of result", async (query) => {
    const operations = await described(startShop(), "/books/aggregate", query);
    expect(operations?.["get"]).toMatchObject({
      operationId: "aggregateBooks",
      parameters: expect.arrayContaining([
        expect.objectContaining({ name: "aggregate" }),
        expect.objectContaining({ name: "group" }),
        expect.objectContaining({ name: "having" }),
        expect.objectContaining({ name: "sort" }),
      ]) as unknown,
      responses: {
        "200": {
          content: {
            "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/BookAggregate" } } },
          },
        },
      },
    });
    expect((await described(startShop(), "/authors/aggregate", query)) ?? "none").toBe("none");
  });

  test("doesn't exist if it could be the path of a row, or is that of a query", async () => {
    const fields = { id: z.string(), size: z.int32() };
    const tag = defineResource("tag", { fields, access, aggregatable: ["size"] });
    const box = defineResource("box", {
      fields: { ...fields, id: z.int32() },
      access,
      aggregatable: ["size"],
      operations: { rest: ["list", "query"], graphql: ["list"] },
      queries: { aggregate: { on: "collection", access: allow, output: z.string(), run: () => "own" } },
    });
    const pair = defineResource("pair", {
      fields: { ...fields, other: z.string() },
      key: ["id", "other"],
      access,
      aggregatable: ["size"],
    });
    const api = defineApi({ resources: [tag, box, pair], log: silentLog });
    expect(await send(api, "GET", "/tags/aggregate")).toMatchObject({ status: 404 });
    expect(await described(api, "/tags/aggregate")).toBeUndefined();
    expect((await send(api, "GET", "/boxes/aggregate")).body).toBe("own");
    expect((await send(api, "GET", "/pairs/aggregate")).body).toEqual([{ group: {}, count: 0 }]);
  });

  test("is left out with the list", async () => {
    const sum = defineResource("sum", {
      fields: { id: z.int32(), size: z.int32() },
      access,
      aggregatable: ["size"],
      operations: ["get"],
    });
    const api = defineApi({ resources: [sum], log: silentLog });
    expect(await send(api, "GET", "/sums/aggregate")).not.toMatchObject({ status: 200 });
    expect(await described(api, "/sums/aggregate")).toBeUndefined();
  });
});
