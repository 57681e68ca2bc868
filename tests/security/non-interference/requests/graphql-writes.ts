import type { Situation } from "../situation.ts";
import { document, ifMatch, rowFields } from "./graphql-document.ts";
import { drawChildren, drawLinks } from "./draw-parts.ts";
import { linkOf } from "./link-of.ts";
import { drawFilter, drawSearch } from "./rest-reads.ts";
import { hasBulkDelete } from "../schema-plan.ts";
import type { RequestKind } from "./request-kind.ts";

/** A filter of a few rows, or a search, as variables. */
function bulkCondition(situation: Situation, id: number | undefined): object {
  const { picks } = situation;
  const filter = bulkFilter(situation, id);
  if (!picks.chance(2)) return { filter };
  const search = drawSearch(situation);
  return picks.chance(5) ? { filter, search } : { search };
}

function bulkFilter(situation: Situation, id: number | undefined): object {
  const { picks, globalId } = situation;
  if (id !== undefined && picks.chance(7)) return { id: { eq: globalId("Row", id) } };
  const { price } = drawFilter(situation);
  return price === undefined ? { color: { eq: picks.number(3) } } : { price };
}

/** GraphQL writes. */
export const graphqlWrites: readonly RequestKind[] = [
  {
    name: "createRow",
    valid: 0.9,
    succeeds: 0.4,
    weight: 2,
    build: (situation) => {
      const { inputType, toGraphql, input } = situation;
      const text = `mutation ($input: ${inputType("createRow")}) { createRow(input: $input) { ${rowFields(situation)} } }`;
      return [document(situation, text, { input: toGraphql(input("create")) })];
    },
  },
  {
    name: "createRow with notes",
    valid: 0.5,
    succeeds: 0.3,
    isIn: ({ hasCreates }) => hasCreates,
    build: (situation) => {
      const { inputType, toGraphql, input } = situation;
      const text = `mutation ($input: ${inputType("createRow")}) { createRow(input: $input) { id notes { totalCount nodes { text } } } }`;
      return [document(situation, text, { input: { ...toGraphql(input("create")), notes: [{ text: "a" }] } })];
    },
  },
  {
    name: "createRows",
    valid: 0.8,
    succeeds: 0.4,
    build: (situation) => {
      const { inputType, toGraphql, input } = situation;
      const text = `mutation ($input: ${inputType("createRows")}) { createRows(input: $input) { id color } }`;
      return [document(situation, text, { input: [toGraphql(input("create"))] })];
    },
  },
  {
    name: "createNote",
    valid: 0.5,
    succeeds: 0.3,
    build: (situation) => {
      const { inputType, referenceTo, allowed, anyId } = situation;
      const text = `mutation ($input: ${inputType("createNote")}) { createNote(input: $input) { id text createdBy row { id } } }`;
      const rowId = referenceTo(allowed("noteWrite")?.id ?? anyId());
      return [document(situation, text, { input: { rowId, text: "g" } })];
    },
  },
  {
    name: "updateRow",
    valid: 0.9,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => {
      const { inputType, toGraphql, globalId, allowed, anyId, changes } = situation;
      const row = allowed("update");
      const text = `mutation ($id: ID!, $input: ${inputType("updateRow")}) { updateRow(id: $id, input: $input${ifMatch(situation)}) { ${rowFields(situation)} } }`;
      const id = globalId("Row", row?.id ?? anyId());
      return [document(situation, text, { id, input: toGraphql(changes(row ?? {})) })];
    },
  },
  {
    name: "updateRow with links",
    valid: 0.8,
    succeeds: 0.15,
    isIn: ({ hasLinks }) => hasLinks,
    build: (situation) => {
      const { inputType, globalId, allowed, anyId } = situation;
      const ids = (list: readonly unknown[]): unknown[] => list.map((one) => globalId("Tag", one));
      const links = drawLinks(situation);
      const tags = Array.isArray(links)
        ? { set: ids(links as readonly unknown[]) }
        : Object.fromEntries(Object.entries(links).map(([name, list]) => [name, ids(list as readonly unknown[])]));
      const text = `mutation ($id: ID!, $input: ${inputType("updateRow")}) { updateRow(id: $id, input: $input${ifMatch(situation)}) { id tags { totalCount nodes { id } } } }`;
      return [document(situation, text, { id: globalId("Row", allowed("update")?.id ?? anyId()), input: { tags } })];
    },
  },
  {
    name: "updateRow with notes",
    valid: 0.8,
    succeeds: 0.15,
    isIn: ({ hasCreates }) => hasCreates,
    build: (situation) => {
      const { inputType, globalId, allowed, anyId } = situation;
      const id = allowed("update")?.id ?? anyId();
      const { notes } = drawChildren(situation, id);
      const deleted = notes.delete?.map((one) => globalId("Note", one));
      const input = { notes: { ...notes, ...(deleted === undefined ? {} : { delete: deleted }) } };
      const text = `mutation ($id: ID!, $input: ${inputType("updateRow")}) { updateRow(id: $id, input: $input${ifMatch(situation)}) { id notes { totalCount nodes { text } } } }`;
      return [document(situation, text, { id: globalId("Row", id), input })];
    },
  },
  {
    name: "replaceRow",
    valid: 0.9,
    succeeds: 0.3,
    build: (situation) => {
      const { inputType, toGraphql, globalId, allowed, anyId, input, freeId, picks, plan } = situation;
      const makes = plan.hasClientKeys && picks.chance(5);
      const row = makes ? undefined : allowed("update");
      const key = row?.id ?? (makes ? freeId() : anyId());
      const guard = makes ? ', ifNoneMatch: "*"' : ifMatch(situation);
      const text = `mutation ($id: ID!, $input: ${inputType("replaceRow")}) { replaceRow(id: $id, input: $input${guard}) { ${rowFields(situation)} } }`;
      const whole = makes ? { ...input("replace"), ...input("create") } : input("replace", row ?? {});
      const body = plan.hasClientKeys ? { ...whole, id: key } : whole;
      return [document(situation, text, { id: globalId("Row", key), input: toGraphql(body) })];
    },
  },
  {
    name: "deleteRow",
    valid: 0.9,
    succeeds: 0.3,
    build: (situation) => {
      const { globalId, free, anyId } = situation;
      const text = `mutation ($id: ID!) { deleteRow(id: $id${ifMatch(situation)}) { deleted id } }`;
      return [document(situation, text, { id: globalId("Row", free()?.id ?? anyId()) })];
    },
  },
  {
    name: "updateRows",
    valid: 0.9,
    succeeds: 0.4,
    isIn: ({ requirePrecondition }) => !requirePrecondition,
    build: (situation) => {
      const { inputType, toGraphql, changes, allowed } = situation;
      const { code: _, ...input } = changes({});
      const text = `mutation ($filter: ${inputType("updateRows", "filter")}, $search: String, $input: ${inputType("updateRows")}) { updateRows(filter: $filter, search: $search, input: $input) { count ids } }`;
      const condition = bulkCondition(situation, allowed("update")?.id);
      return [document(situation, text, { ...condition, input: toGraphql(input) })];
    },
  },
  {
    name: "deleteRows",
    valid: 0.9,
    succeeds: 0.3,
    isIn: hasBulkDelete,
    build: (situation) => {
      const { inputType, free } = situation;
      const text = `mutation ($filter: ${inputType("deleteRows", "filter")}, $search: String) { deleteRows(filter: $filter, search: $search) { count ids } }`;
      return [document(situation, text, bulkCondition(situation, free()?.id))];
    },
  },
  {
    name: "linkRowTag and unlinkRowTag",
    valid: 0.9,
    succeeds: 0.2,
    isIn: ({ hasLinks }) => hasLinks,
    build: (situation) => {
      const { globalId, picks } = situation;
      const name = picks.chance(6) ? "link" : "unlink";
      const [row, tag] = linkOf(situation, name === "link");
      const [id, tagId] = [globalId("Row", row), globalId("Tag", tag)];
      const text = picks.chance(5)
        ? `mutation ($id: ID!, $tagId: ID!) { ${name}RowTag(id: $id, tagId: $tagId) { ${rowFields(situation)} } }`
        : `mutation ($id: ID!, $tagId: ID!) { ${name}TagRow(id: $tagId, rowId: $id) { id rows { totalCount } } }`;
      return [document(situation, text, { id, tagId })];
    },
  },
  {
    name: "actions by mutation",
    valid: 0.9,
    succeeds: 0.3,
    build: (situation) => {
      const { globalId, allowed, anyId, inputType, picks } = situation;
      const id = globalId("Row", allowed("act")?.id ?? anyId());
      const text = `mutation ($id: ID!, $input: ${inputType("markRow")}) { markRow(id: $id, input: $input) { ${rowFields(situation)} } echoRows(input: { size: 1 }) { size who } }`;
      return [document(situation, text, { id, input: { size: picks.number(3) } })];
    },
  },
];
