import { kindOf } from "../values.ts";
import type { Situation } from "../situation.ts";
import type { RequestKind } from "./request-kind.ts";

const FORMATS = [
  "application/json",
  "application/vnd.api+json",
  "application/hal+json",
  "application/xml",
  "text/html",
] as const;
/** Formats of lists include these two. */
export const LIST_FORMATS = [...FORMATS, "text/csv", "application/x-ndjson"] as const;

/** Fields that a filter or sort may name. */
function scalarsOf({ plan }: Situation): readonly string[] {
  return plan.fields.filter(({ kind }) => kindOf(kind).isScalar).map(({ name }) => name);
}

/** A filter as data. */
export function drawFilter(situation: Situation): Record<string, unknown> {
  const { picks, plan } = situation;
  const value = picks.number(3);
  const drawn = picks.of(plan.fields.filter(({ kind }) => kindOf(kind).isScalar));
  switch (picks.number(plan.hasLinks ? 9 : 8)) {
    case 0:
      return { [picks.one("items", "box.items")]: { [quantifier(situation)]: { color: value } } };
    case 1:
      return { notes: { [quantifier(situation)]: { text: "n" } } };
    case 2:
      return { box: { [picks.one("color", "size", "price")]: value } };
    case 3:
      return { not: { [picks.one("color", "price")]: value } };
    case 4:
      return { or: [{ size: value }, { box: { color: value } }] };
    case 5:
      return { price: { [picks.one("eq", "gt", "lte", "ne")]: value } };
    case 6:
      if (drawn === undefined) return { ownerId: picks.one("ann", "bob") };
      return { [drawn.name]: { [picks.one("eq", "ne")]: kindOf(drawn.kind).values[value] } };
    case 7:
      return { [picks.one("color", "size", "id", "boxId")]: { [picks.one("gte", "ne", "lte")]: value } };
    default:
      return { tags: { [quantifier(situation)]: { color: value } } };
  }
}

/** The words of a search: owners, and texts of drawn fields. */
export function drawSearch({ picks }: Situation): string {
  return picks.one("ann", "bob", "a", "b", "an bo", "ann a");
}

const quantifier = ({ picks }: Situation): string => picks.one("some", "every", "none");

/** A filter as parameters of a URL. */
export function filterText(filter: object, path = "filter"): string {
  return Object.entries(filter)
    .map(([name, value]) => {
      const inner = `${path}[${name}]`;
      if (typeof value === "object" && value !== null) return filterText(value as object, inner);
      return `${inner}=${encodeURIComponent(String(value))}`;
    })
    .join("&");
}

/** Lists of related rows with their totals. */
const COUNTED = ["items&rel[items][count]=true", "notes&rel[notes][count]=true&rel[notes][page][size]=1"];

export function listParts(situation: Situation): string {
  const { picks, plan } = situation;
  const terms = ["color", "-size", "price", "box.color", "box.price", ...scalarsOf(situation)];
  const includes = ["box", "items", "notes", "notes,box.items", ...COUNTED, ...(plan.hasLinks ? ["tags"] : [])];
  const fields = ["id,color", "id,price", "id,box.color", ...plan.fields.map(({ name }) => `id,${name}`)];
  const parts = [
    ...(picks.chance(5) ? [filterText(drawFilter(situation))] : []),
    ...(picks.chance(3) ? [`q=${encodeURIComponent(drawSearch(situation))}`] : []),
    ...(picks.chance(4) ? [`sort=${picks.of(terms)}`] : []),
    ...(picks.chance(3) ? ["count=true"] : []),
    ...(picks.chance(3) ? [picks.one("page[size]=1", "page[size]=2", "page[offset]=1")] : []),
    ...(picks.chance(3) ? [`include=${picks.of(includes)}`] : []),
    ...(picks.chance(2) ? [`fields=${picks.of(fields)}`] : []),
    ...(picks.chance(1) ? ["rel[items][sort]=-color&rel[items][page][size]=1&include=items"] : []),
  ];
  // A second `include` or `fields` would be an error.
  return [...new Map(parts.map((part) => [part.split("=")[0], part])).values()]
    .filter((part, _, all) => !part.startsWith("include=") || !all.some((other) => other.includes("&include=")))
    .join("&");
}

function itemParts({ picks, plan }: Situation): string {
  const includes = ["box", "items", "notes,box.items", ...COUNTED, ...(plan.hasLinks ? ["tags"] : [])];
  const fields = ["id,color", "id,box.color", ...plan.fields.map(({ name }) => `id,${name}`)];
  return [
    ...(picks.chance(4) ? [`include=${picks.of(includes)}`] : []),
    ...(picks.chance(3) ? [`fields=${picks.of(fields)}`] : []),
  ].join("&");
}

const join = (path: string, search: string): string => (search === "" ? path : `${path}?${search}`);

/** Reads by REST. */
export const restReads: readonly RequestKind[] = [
  {
    name: "GET /rows?q=…",
    valid: 0.9,
    succeeds: 0.4,
    weight: 2,
    build: (situation) => [
      {
        method: "GET",
        url: `/rows?${situation.picks.one("", "count=true&", "page[size]=1&", "fields=id&")}q=${encodeURIComponent(drawSearch(situation))}`,
        caller: situation.caller,
        headers: { accept: situation.picks.one(...LIST_FORMATS) },
      },
    ],
  },
  {
    name: "GET /rows",
    valid: 0.9,
    succeeds: 0.4,
    weight: 4,
    build: (situation) => [
      {
        method: situation.picks.chance(9) ? "GET" : "HEAD",
        url: join("/rows", listParts(situation)),
        caller: situation.caller,
        headers: { accept: situation.picks.one(...LIST_FORMATS) },
      },
    ],
  },
  {
    name: "GET /rows/{id}",
    valid: 0.9,
    succeeds: 0.4,
    weight: 3,
    build: (situation) => [
      {
        method: situation.picks.chance(9) ? "GET" : "HEAD",
        url: join(`/rows/${situation.anyId()}`, itemParts(situation)),
        caller: situation.caller,
        headers: { accept: situation.picks.one(...FORMATS) },
      },
    ],
  },
  {
    name: "GET along a relation",
    valid: 0.9,
    succeeds: 0.3,
    weight: 2,
    build: ({ picks, plan, caller, anyId }) => {
      const relation = picks.one("items", "notes", "box", ...(plan.hasLinks ? (["tags"] as const) : []));
      const search = relation === "box" ? "" : "?count=true";
      const path = picks.chance(7) ? `/${relation}${search}` : `/relationships/${relation}`;
      const accept = path.startsWith("/relationships") ? "application/vnd.api+json" : "application/json";
      return [{ method: "GET", url: `/rows/${anyId()}${path}`, caller, headers: { accept } }];
    },
  },
  {
    name: "GET /notes and /tags",
    valid: 0.9,
    succeeds: 0.4,
    build: ({ picks, plan, caller }) => {
      const urls = ["/notes", "/notes?include=row&sort=text", "/notes?filter[row][color]=1&count=true"] as const;
      const url = picks.one(...urls, "/tags?count=true", plan.hasLinks ? "/tags?include=rows" : "/tags?sort=color");
      return [{ method: "GET", url, caller }];
    },
  },
  {
    name: "QUERY /rows",
    valid: 0.8,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => {
      const { picks, caller } = situation;
      const body = {
        filter: drawFilter(situation),
        ...(picks.chance(4) ? { sort: [picks.one("color", "-price", "box.color")] } : {}),
        ...(picks.chance(4) ? { count: true } : {}),
        ...(picks.chance(4) ? { page: { size: 2 } } : {}),
      };
      return [{ method: "QUERY", url: "/rows", caller, body }];
    },
  },
  {
    name: "GET the next page",
    valid: 0.9,
    succeeds: 0.9,
    build: ({ picks, caller }) => [
      { method: "GET", url: `/rows?page[size]=1&sort=${picks.one("color", "-size", "box.color", "price")}`, caller },
      ({ headers }) => {
        const next = Object.entries(headers).find(([name]) => name.toLowerCase() === "link")?.[1];
        const url = /<([^>]*)>; rel="next"/.exec(next ?? "")?.[1];
        return url === undefined ? undefined : { method: "GET", url, caller };
      },
    ],
  },
  {
    name: "GET If-None-Match",
    valid: 0.9,
    succeeds: 0.9,
    build: ({ picks, caller, anyId }) => {
      const url = picks.one("/rows?count=true", "/rows?include=items", `/rows/${anyId()}`);
      return [
        { method: "GET", url, caller },
        ({ headers }) => {
          const tag = headers["ETag"];
          return tag === undefined ? undefined : { method: "GET", url, caller, headers: { "if-none-match": tag } };
        },
      ];
    },
  },
];
