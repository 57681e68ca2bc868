import type { Situation } from "../situation.ts";
import { document, rowFields } from "./graphql-document.ts";
import { drawSearch } from "./rest-reads.ts";
import type { RequestKind } from "./request-kind.ts";

function listArguments({ picks, plan }: Situation): string {
  const value = picks.number(3);
  const quantifier = picks.one("some", "every", "none");
  const filters = [
    `size: { gte: ${value} }`,
    `items: { ${quantifier}: { color: { eq: ${value} } } }`,
    `box: { color: { gte: ${value} } }`,
    `price: { gt: ${value} }`,
    `or: [{ color: { eq: ${value} } }, { not: { size: { eq: ${value} } } }]`,
    ...(plan.hasLinks ? [`tags: { ${quantifier}: { color: { eq: ${value} } } }`] : []),
  ];
  return [
    `sort: [${picks.chance(8) ? picks.one("COLOR_ASC", "SIZE_DESC") : picks.one("PRICE_ASC", "BOX_COLOR_DESC")}]`,
    ...(picks.chance(5) ? [`filter: { ${picks.of(filters)} }`] : []),
    ...(picks.chance(5) ? [`${picks.one("first", "last")}: ${picks.number(4) + 1}`] : []),
  ].join(", ");
}

const list = (situation: Situation): string =>
  `rows(${listArguments(situation)}) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${rowFields(situation)} } } }`;

/** Headers that request an incremental response. */
const PARTS = [
  "multipart/mixed;incrementalSpec=v0.2, application/json",
  "multipart/mixed;deferSpec=20220824, application/json",
  "text/event-stream",
] as const;

/** GraphQL reads. */
export const graphqlReads: readonly RequestKind[] = [
  {
    name: "query rows by search",
    valid: 0.9,
    succeeds: 0.35,
    weight: 2,
    build(situation) {
      const search = JSON.stringify(drawSearch(situation));
      const args = situation.picks.one("", ", first: 1", ", sort: [COLOR_ASC]");
      const fields = "totalCount nodes { id } pageInfo { endCursor hasNextPage }";
      return [document(situation, `{ rows(search: ${search}${args}) { ${fields} } }`)];
    },
  },
  {
    name: "query rows",
    valid: 0.9,
    succeeds: 0.35,
    weight: 3,
    build: (situation) => [document(situation, `{ ${list(situation)} }`)],
  },
  {
    name: "query rows by GET",
    valid: 0.9,
    succeeds: 0.35,
    build: (situation) => {
      const url = `/graphql?query=${encodeURIComponent(`{ ${list(situation)} }`)}`;
      return [{ method: "GET", url, caller: situation.caller }];
    },
  },
  {
    name: "query row",
    valid: 0.9,
    succeeds: 0.35,
    weight: 2,
    build: (situation) => {
      const id = situation.globalId("Row", situation.anyId());
      return [document(situation, `query ($id: ID!) { row(id: $id) { ${rowFields(situation)} } }`, { id })];
    },
  },
  {
    name: "query node and nodes",
    valid: 0.9,
    succeeds: 0.35,
    isIn: ({ globalIds }) => globalIds,
    build: (situation) => {
      const { globalId, anyId, picks } = situation;
      const ids = [globalId("Row", anyId()), globalId("Row", anyId()), globalId("Tag", picks.number(4))];
      const text = `query ($id: ID!, $ids: [ID!]!) { node(id: $id) { id ... on Row { ${rowFields(situation)} } } nodes(ids: $ids) { __typename ... on Row { color box { color } } ... on Tag { color } } }`;
      return [document(situation, text, { id: ids[0], ids })];
    },
  },
  {
    name: "query notes and tags",
    valid: 0.9,
    succeeds: 0.3,
    build: (situation) => {
      const rows = situation.plan.hasLinks ? "rows { totalCount nodes { id } }" : "";
      const text = `{ notes { totalCount nodes { id text row { id color } } } tags { totalCount nodes { id color ${rows} } } }`;
      return [document(situation, text)];
    },
  },
  {
    name: "a batch of queries",
    valid: 0.9,
    succeeds: 0.2,
    build: (situation) => {
      const batch = [document(situation, `{ ${list(situation)} }`), document(situation, "{ notes { totalCount } }")];
      return [{ ...document(situation, ""), body: batch.map(({ body }) => body) }];
    },
  },
  {
    name: "query with @defer",
    valid: 0.9,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => {
      // Only one deferred part: several independent parts are sent in the order in which they are read.
      const fields = rowFields(situation);
      const text = situation.picks.one(
        `{ rows(sort: [COLOR_ASC]) { nodes { id ... @defer(label: "rest") { ${fields} } } } }`,
        `{ rows(sort: [COLOR_ASC]) { nodes { ${fields} } ... @defer { totalCount pageInfo { hasNextPage } } } }`,
      );
      return [{ ...document(situation, text), headers: { accept: situation.picks.one(...PARTS) } }];
    },
  },
  {
    name: "query with @stream",
    valid: 0.9,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => {
      const text = `{ rows(sort: [SIZE_DESC]) { nodes @stream(initialCount: ${situation.picks.number(3)}) { ${rowFields(situation)} } } }`;
      return [{ ...document(situation, text), headers: { accept: situation.picks.one(...PARTS) } }];
    },
  },
];
