import type { Translation } from "@bifocal/core";
import { createBookstore } from "@bifocal/example-bookstore/start";
import { expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { pairs } from "./snippets.ts";

const { api } = createBookstore({ keys: KEYS });

test("finds pairs", () => {
  expect(pairs().length).toBeGreaterThan(1);
});

test.each(pairs())("$at has the same request in REST and GraphQL", async ({ http, graphql }) => {
  const fromRest = await api.translate(http.trim());
  expect(fromRest).toHaveLength(1);
  expect(fromRest.map(formsOf)).toEqual((await api.translate(graphql)).map(formsOf));
});

function formsOf({ rest, graphql }: Translation): Pick<Translation, "rest" | "graphql"> {
  return { rest, graphql };
}
