import type { Situation } from "../situation.ts";
import { isAggregatable, kindOf } from "../values.ts";
import { document } from "./graphql-document.ts";
import type { RequestKind } from "./request-kind.ts";
import { drawFilter, drawSearch, filterText } from "./rest-reads.ts";

/** Names of values to compute. Fields with rules are rare, because such requests are rejected. */
function drawMeasures({ picks, plan }: Situation): readonly string[] {
  const drawn = plan.fields.filter(({ kind }) => isAggregatable(kind)).map(({ name }) => `max.${name}`);
  return [
    "count",
    picks.one("sum.size", "avg.size", "min.color", "max.color"),
    ...(picks.chance(1) ? [picks.of(["sum.price", "max.price", ...drawn]) ?? "max.price"] : []),
  ];
}

function drawGroup({ picks, plan }: Situation): readonly string[] {
  const drawn = plan.fields
    .filter(({ kind, isRuled }) => kindOf(kind).isScalar && (!isRuled || picks.chance(1)))
    .map(({ name, kind }) => (kind === "date" || kind === "moment" ? `${name}.${picks.one("year", "day")}` : name));
  const name = picks.of(["color", "size", "ownerId", "boxId", ...drawn]) ?? "color";
  // Hidden boxes are grouped like missing ones.
  const far = picks.chance(1) ? "box.price" : picks.one("box.color", "box.size");
  if (!picks.chance(7)) return [];
  return picks.chance(3) ? [far] : [name];
}

/** Conditions that only small or only some groups match. */
function drawHaving({ picks }: Situation): readonly [name: string, operator: string, value: number] {
  const value = picks.number(4);
  const name = picks.chance(1) ? "max.price" : picks.one("count", "max.size", "min.color", "avg.size");
  return [name, picks.one("gte", "lt", "eq", "ne"), value];
}

function urlParts(situation: Situation): string {
  const { picks } = situation;
  const [name, operator, value] = drawHaving(situation);
  const group = drawGroup(situation);
  return [
    `aggregate=${drawMeasures(situation).join()}`,
    ...(group.length > 0 ? [`group=${group.join()}`] : []),
    ...(picks.chance(6) ? [`having[${name}][${operator}]=${value}`] : []),
    ...(picks.chance(4) ? [`sort=${picks.one("-count", "max.size", "-avg.size")}`] : []),
    ...(picks.chance(3) ? [picks.one("page[size]=1", "page[offset]=1")] : []),
    ...(picks.chance(2) ? [filterText(drawFilter(situation))] : []),
    ...(picks.chance(2) ? [`q=${encodeURIComponent(drawSearch(situation))}`] : []),
  ].join("&");
}

const constant = (name: string): string =>
  name
    .replace(/[.]/g, "_")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toUpperCase();

/** `avg.size` → `avg { size }`. */
function nested(name: string, inner: string): string {
  const [first = "", second] = name.split(".");
  return second === undefined ? `${first}${inner}` : `${first}${inner === "" ? "" : ":"} { ${second}${inner} }`;
}

function selection(situation: Situation, field: string): string {
  const { picks } = situation;
  const [name, operator, value] = drawHaving(situation);
  const group = drawGroup(situation);
  const args = [
    ...(group.length > 0 ? [`groupBy: [${group.map(constant).join()}]`] : []),
    ...(picks.chance(6) ? [`having: { ${nested(name, `: { ${operator}: ${value} }`)} }`] : []),
    ...(picks.chance(4) ? [`sort: [${picks.one("COUNT_DESC", "MAX_SIZE_ASC", "AVG_SIZE_DESC")}]`] : []),
    ...(picks.chance(3) ? [`first: ${picks.number(3) + 1}`] : []),
    ...(picks.chance(2) ? [`search: ${JSON.stringify(drawSearch(situation))}`] : []),
  ];
  const values = drawMeasures(situation).map((one) => nested(one, ""));
  const listed = args.length === 0 ? "" : `(${args.join()})`;
  return `${field}${listed} { totalCount pageInfo { endCursor } nodes { group { color size boxColor } ${values.join(" ")} } }`;
}

/** Aggregates by both styles. */
export const aggregates: readonly RequestKind[] = [
  {
    name: "GET groups of rows",
    valid: 0.9,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => {
      const { picks, caller } = situation;
      const headers = { accept: picks.one("application/json", "text/csv", "text/html") };
      return [{ method: "GET", url: `/rows?${urlParts(situation)}`, caller, headers }];
    },
  },
  {
    name: "GET groups along a relation",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    build: (situation) => [
      { method: "GET", url: `/rows/${situation.anyId()}/items?${urlParts(situation)}`, caller: situation.caller },
    ],
  },
  {
    name: "GET rows with groups of a relation",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    build: (situation) => {
      const { picks, caller } = situation;
      const parts = urlParts(situation)
        .split("&")
        .map((part) => part.replace(/^[a-z]+/, (name) => `rel[items][${name}]`));
      const headers = { accept: picks.one("application/json", "text/csv", "text/html") };
      return [{ method: "GET", url: `/rows?page[size]=3&${parts.join("&")}`, caller, headers }];
    },
  },
  {
    name: "GET the next page of groups",
    valid: 0.9,
    succeeds: 0.4,
    build: ({ picks, caller }) => [
      {
        method: "GET",
        url: `/rows?aggregate=count&group=${picks.one("color", "size", "boxId")}&sort=${picks.one("-count", "count")}&page[size]=1`,
        caller,
      },
      ({ headers }) => {
        const next = Object.entries(headers).find(([name]) => name.toLowerCase() === "link")?.[1];
        const url = /<([^>]*)>; rel="next"/.exec(next ?? "")?.[1];
        return url === undefined ? undefined : { method: "GET", url, caller };
      },
    ],
  },
  {
    name: "query groups of rows",
    valid: 0.9,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => [document(situation, `{ ${selection(situation, "rowsAggregate")} }`)],
  },
  {
    name: "query groups along a relation",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    build: (situation) => [
      document(situation, `{ rows(first: 3) { nodes { id ${selection(situation, "itemsAggregate")} } } }`),
    ],
  },
];
