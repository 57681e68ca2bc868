import type { SchemaPlan } from "../schema-plan.ts";
import { document, rowFields } from "./graphql-document.ts";
import type { RequestKind } from "./request-kind.ts";

const hasSoftDelete = (plan: SchemaPlan): boolean => plan.hasSoftDelete;
const hasHistory = (plan: SchemaPlan): boolean => plan.hasHistory;
/** Without a required version, which reads of deleted rows would have to find first. */
const hasRestore = ({ hasSoftDelete: has, requirePrecondition }: SchemaPlan): boolean => has && !requirePrecondition;

/** The ids of entries are random. */
const ENTRY = "at by operation action changes { field from to }";
const ENTRY_FIELDS = "fields=at,by,operation,action,changes&page[size]=50";

/** Deleted rows, their restoration, and the histories of rows. */
export const conventions: readonly RequestKind[] = [
  {
    name: "GET deleted rows",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    isIn: hasSoftDelete,
    build: ({ caller, picks, deletedId }) => {
      const deleted = `deleted=${picks.one("only", "with")}`;
      const more = picks.one("", "&count=true", "&include=box,notes", "&filter[color][lt]=2&sort=-size", "&q=ann");
      const url = picks.chance(6) ? `/rows?${deleted}${more}` : `/rows/${deletedId()}?deleted=with`;
      return [{ method: "GET", url, caller }];
    },
  },
  {
    name: "query deleted rows",
    valid: 0.9,
    succeeds: 0.15,
    weight: 2,
    isIn: hasSoftDelete,
    build: (situation) => {
      const { picks, globalId, deletedId, plan } = situation;
      const history = plan.hasHistory && picks.chance(5) ? `history(first: 50) { totalCount nodes { ${ENTRY} } }` : "";
      const rows = `rows(deleted: ${picks.one("ONLY", "WITH")}) { totalCount nodes { ${rowFields(situation)} } }`;
      const one = `row(id: "${String(globalId("Row", deletedId()))}", deleted: WITH) { id color deletedAt ${history} }`;
      return [document(situation, `{ ${picks.one(rows, one)} }`)];
    },
  },
  {
    name: "POST /rows/{id}/restore",
    valid: 0.9,
    succeeds: 0.2,
    weight: 3,
    isIn: hasRestore,
    build: ({ caller, deletedId, plan, picks }) => {
      const history =
        plan.hasHistory && picks.chance(5) ? "?fields=id,color,history.changes&rel[history][page][size]=50" : "";
      return [{ method: "POST", url: `/rows/${deletedId()}/restore${history}`, caller }];
    },
  },
  {
    name: "restoreRow",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    isIn: hasRestore,
    build: (situation) => {
      const { globalId, deletedId } = situation;
      const text = `mutation ($id: ID!) { restoreRow(id: $id) { ${rowFields(situation)} } }`;
      return [document(situation, text, { id: globalId("Row", deletedId()) })];
    },
  },
  {
    name: "DELETE a row and restore it",
    valid: 0.9,
    succeeds: 0.2,
    weight: 2,
    isIn: hasRestore,
    build: ({ caller, free, anyId }) => {
      const id = free()?.id ?? anyId();
      const restore = { method: "POST", url: `/rows/${id}/restore`, caller };
      return [{ method: "DELETE", url: `/rows/${id}`, caller }, () => restore];
    },
  },
  {
    name: "GET the history of a row",
    valid: 0.9,
    succeeds: 0.3,
    weight: 5,
    isIn: hasHistory,
    build: ({ caller, anyId, picks }) => {
      const filter = picks.one("", "&count=true", "&filter[by]=ann&count=true", "&filter[operation]=update");
      const own = `/rows/${anyId()}/history?${ENTRY_FIELDS}${filter}`;
      const nested = `/rows?fields=id,history.changes,history.by&rel[history][page][size]=50`;
      const related = `/rows?fields=id&count=true&filter[history][${picks.one("some", "every", "none")}][by]=ann`;
      const url = picks.chance(5) ? own : picks.one(nested, related);
      return [{ method: "GET", url, caller, headers: { accept: picks.chance(8) ? "application/json" : "text/csv" } }];
    },
  },
  {
    name: "query the history of a row",
    valid: 0.9,
    succeeds: 0.3,
    weight: 4,
    isIn: hasHistory,
    build: (situation) => {
      const { picks, globalId, anyId } = situation;
      const one = `row(id: "${String(globalId("Row", anyId()))}") { history(first: 50) { totalCount nodes { ${ENTRY} } } }`;
      const boxes = `rows(first: 3) { nodes { id box { id history(first: 50) { nodes { ${ENTRY} } } } } }`;
      const some = `rows(filter: { history: { some: { by: { eq: "ann" } } } }) { totalCount }`;
      return [document(situation, `{ ${picks.one(one, boxes, some)} }`)];
    },
  },
];
