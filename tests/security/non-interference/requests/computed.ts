import type { Situation } from "../situation.ts";
import { document } from "./graphql-document.ts";
import type { RequestKind } from "./request-kind.ts";

const isIn: RequestKind["isIn"] = ({ hasComputed }) => hasComputed;

function get({ picks, caller, anyId }: Situation, fields: string): ReturnType<RequestKind["build"]> {
  const path = picks.chance(6) ? "/rows" : `/rows/${anyId()}`;
  return [{ method: "GET", url: `${path}?fields=id,${fields}`, caller }];
}

/** Fields with rules are rare, because such requests are rejected. */
const drawRelated = ({ picks }: Situation): string =>
  picks.chance(1) ? "dearestItem" : picks.one("itemCount", "noteCount", "itemSize");

const constant = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Computed fields of each kind. */
export const computedFields: readonly RequestKind[] = [
  {
    name: "GET fields computed by `get`",
    valid: 0.9,
    succeeds: 0.3,
    isIn,
    build: (situation) => get(situation, situation.picks.chance(8) ? "area" : "area,isFree"),
  },
  {
    name: "GET fields computed by `load`",
    valid: 0.9,
    succeeds: 0.3,
    isIn,
    build: (situation) => get(situation, situation.picks.one("sameColor", "box.sameColor", "items.sameColor")),
  },
  {
    name: "GET fields over relations",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    isIn,
    build: (situation) => {
      const { picks } = situation;
      const fields = ["itemCount", "noteCount,itemSize", "averageColor", "box.itemCount,itemCount"];
      return get(situation, picks.chance(1) ? "dearestItem" : (picks.of(fields) ?? "itemCount"));
    },
  },
  {
    name: "GET rows by fields over relations",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    isIn,
    build: (situation) => {
      const { picks, caller } = situation;
      const [one, other] = [drawRelated(situation), drawRelated(situation)];
      const filter = `filter[${one}][${picks.one("gte", "eq", "ne")}]=${picks.number(3)}`;
      const sort = `sort=${picks.one("-", "")}${other}`;
      const page = picks.one("page[size]=1", "page[offset]=1", "count=true");
      return [
        { method: "GET", url: `/rows?fields=id&${picks.one(filter, sort, `${filter}&${sort}`)}&${page}`, caller },
      ];
    },
  },
  {
    name: "query computed fields",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    isIn,
    build: (situation) => {
      const { picks } = situation;
      const [one, other] = [drawRelated(situation), drawRelated(situation)];
      const filter = `filter: { ${one}: { ${picks.one("gte", "lt", "ne")}: ${picks.number(3)} } }`;
      const args = picks.one("first: 2", filter, `sort: [${constant(other)}_DESC]`);
      const fields = `id area sameColor ${one} averageColor ${picks.chance(1) ? "isFree dearestItem" : ""}`;
      const text = `{ rows(${args}) { totalCount nodes { ${fields} items(first: 2) { nodes { id itemCount } } } } }`;
      return [document(situation, text)];
    },
  },
];
