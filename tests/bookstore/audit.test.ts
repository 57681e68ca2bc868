import { auditServer } from "graphql-http";
import { expect, test } from "vitest";
import { onEachAdapter } from "./stores.ts";

onEachAdapter((base) => {
  test("passes every audit of graphql-http", async () => {
    const results = await auditServer({ url: `${base()}/graphql`, fetchFn: fetch });
    expect(results.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(results).toHaveLength(61);
  });
});
