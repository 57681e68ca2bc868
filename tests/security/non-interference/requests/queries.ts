import { document, rowFields } from "./graphql-document.ts";
import type { RequestKind } from "./request-kind.ts";
import { LIST_FORMATS, listParts } from "./rest-reads.ts";

/** Queries of the application by both styles. Their code chooses rows, or calls the API as the caller. */
export const queries: readonly RequestKind[] = [
  {
    name: "GET rows of a query",
    valid: 0.9,
    succeeds: 0.4,
    weight: 2,
    build: (situation) => {
      const { picks, caller } = situation;
      const parts = [`size=${picks.number(3)}`, listParts(situation)].filter((part) => part !== "").join("&");
      const headers = { accept: picks.one(...LIST_FORMATS) };
      return [{ method: picks.chance(9) ? "GET" : "HEAD", url: `/rows/near?${parts}`, caller, headers }];
    },
  },
  {
    name: "QUERY rows of a query",
    valid: 0.9,
    succeeds: 0.4,
    build: ({ picks, caller }) => [
      { method: "QUERY", url: "/rows/near", caller, body: { size: picks.number(3), count: true, page: { size: 2 } } },
    ],
  },
  {
    name: "GET the next page of a query",
    valid: 0.9,
    succeeds: 0.9,
    weight: 2,
    build: ({ picks, caller }) => [
      { method: "GET", url: `/rows/near?size=${picks.number(2)}&page[size]=1`, caller },
      ({ headers }) => {
        const next = Object.entries(headers).find(([name]) => name.toLowerCase() === "link")?.[1];
        const url = /<([^>]*)>; rel="next"/.exec(next ?? "")?.[1];
        return url === undefined ? undefined : { method: "GET", url, caller };
      },
    ],
  },
  {
    name: "GET rows of a query on a row",
    valid: 0.9,
    succeeds: 0.4,
    weight: 2,
    build: (situation) => [
      {
        method: "GET",
        url: `/rows/${situation.anyId()}/alike?${situation.picks.one("count=true", "include=box", "fields=id,size", "page[size]=1")}`,
        caller: situation.caller,
      },
    ],
  },
  {
    name: "GET the value of a query",
    valid: 0.9,
    succeeds: 0.4,
    weight: 2,
    build: ({ anyId, caller, picks }) => [
      { method: "GET", url: picks.chance(7) ? `/rows/${anyId()}/digest` : "/rows/survey", caller },
    ],
  },
  {
    name: "query rows of a query",
    valid: 0.9,
    succeeds: 0.35,
    weight: 2,
    build: (situation) => {
      const { picks } = situation;
      const args = picks.one("", ", first: 1", ", sort: [SIZE_DESC]", ", filter: { color: { gte: 1 } }");
      const fields = `totalCount pageInfo { hasNextPage endCursor } nodes { ${rowFields(situation)} }`;
      return [document(situation, `{ nearRows(size: ${picks.number(3)}${args}) { ${fields} } }`)];
    },
  },
  {
    name: "query values of a query",
    valid: 0.9,
    succeeds: 0.35,
    weight: 2,
    build: (situation) => {
      const id = situation.globalId("Row", situation.anyId());
      const query =
        "query ($id: ID!) { rowDigest(id: $id) { color items top } alikeRows(id: $id) { totalCount nodes { id } } }";
      return [document(situation, query, { id })];
    },
  },
];
