import { fieldOf } from "../../model/field-of.ts";
import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { WireType } from "../../model/wire-type.ts";
import type { Selection } from "../../operation/selection.ts";
import { measureValue } from "../../operation/group.ts";
import type { Json } from "../../util/json.ts";
import { groupsName } from "../response/write-groups.ts";
import { type Format, type GroupsView, isRows, type RowView, rowToJson, type View } from "./format.ts";

interface Column {
  readonly name: string;
  readonly read: (row: RowView) => Json;
  /** True if its text is always a number, such as a `bigint` or a decimal. */
  readonly isNumber: boolean;
}

/**
 * CSV (RFC 4180): a header line with the names, then a line for each row. Fields of an embedded to-one relation have
 * their own columns (`author.name`); lists and objects are JSON text. Null is an empty cell, and empty text is `""`.
 */
export const csv: Format = {
  mediaType: "text/csv",
  contentType: "text/csv; charset=utf-8; header=present",
  headers: ({ path }) => ({ "Content-Disposition": `attachment; filename="${path}.csv"` }),
  stream: ({ model, resource, selection }: View) => {
    const columns = columnsOf(model, resource, selection);
    return {
      head: writeLine(columns.map(({ name }) => writeText(name))),
      row: (row) => writeLine(columns.map(({ read, isNumber }) => writeCell(read(row), isNumber))),
      foot: "",
    };
  },
  groups: writeGroups,
};

/** A line for each group: the values by which it is grouped, then the computed values. */
function writeGroups({ groups, terms, measures, resource }: GroupsView): string {
  const kindOf = (name: string): WireType["kind"] | undefined =>
    (resource.aggregates.groups.get(name) ?? resource.aggregates.measures.get(name))?.type.kind;
  const lines = groups.map((group) => {
    const cells = [
      ...terms.map((name) => group.group[name] ?? null),
      ...measures.map((name) => measureValue(group, name)),
    ];
    return writeLine(cells.map((cell, at) => writeCell(cell, isNumberText(kindOf([...terms, ...measures][at] ?? "")))));
  });
  return writeLine([...terms, ...measures].map((name) => writeText(name))) + lines.join("");
}

function columnsOf(model: Model, resource: ResourceModel, { fields, relations }: Selection): readonly Column[] {
  const columns: Column[] = fields.map((name) => ({
    name,
    read: (row) => row.fields[name] ?? null,
    isNumber: isNumberText(fieldOf(resource, name)?.type.kind),
  }));
  for (const { relation: name, count = false, selection, aggregation } of relations) {
    if (aggregation !== undefined) {
      columns.push({ name: groupsName(name), read: (row) => (row.groups[name] ?? null) as Json, isNumber: false });
      continue;
    }
    const relation = resource.relations.get(name) as RelationModel;
    if (relation.many) {
      columns.push({ name, read: (row) => readMany(row, name), isNumber: false });
      if (count !== false)
        columns.push({ name: `${name}@count`, read: (row) => row.totals[name]?.total ?? null, isNumber: false });
    } else {
      const far = columnsOf(model, model.resources.get(relation.target) as ResourceModel, selection);
      for (const { name: inner, read, isNumber } of far) {
        columns.push({ name: `${name}.${inner}`, read: (row) => readOne(row, name, read), isNumber });
      }
    }
  }
  return columns;
}

function isNumberText(kind: WireType["kind"] | undefined): boolean {
  return kind === "bigint" || kind === "decimal";
}

function readOne(row: RowView, name: string, read: Column["read"]): Json {
  const related = row.relations[name];
  return related === undefined || related === null || isRows(related) ? null : read(related);
}

function readMany(row: RowView, name: string): Json {
  const related = row.relations[name];
  return related === undefined || related === null || !isRows(related) ? null : related.map(rowToJson);
}

function writeLine(cells: readonly string[]): string {
  // An empty line would not be a record.
  return cells.length === 1 && cells[0] === "" ? '""\r\n' : `${cells.join(",")}\r\n`;
}

function writeCell(value: Json, isNumber: boolean): string {
  if (value === null) return "";
  if (typeof value === "string") return writeText(value, isNumber);
  return writeText(JSON.stringify(value), typeof value === "number");
}

/**
 * Characters that spreadsheets read as the start of a formula, or skip before one. This is OWASP's list for CSV
 * injection (`=`, `+`, `-`, `@`, tab, CR, LF, and the full-width forms that some locales treat alike) and NUL, which
 * ASVS 1.2.10 adds.
 */
const FORMULA = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Spreadsheets that separate cells by semicolons or tabs also end a cell at these characters, despite the quotes. */
const OTHER_SEPARATOR = /[;\t\r\n]/;
/** Looks ahead first: looking behind at each quote would take quadratic time. */
const FORMULA_BEHIND_SEPARATOR = /(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])(?<=[;\t\r\n]["\0]*)/g;

function writeText(text: string, isNumber = false): string {
  const safe = isNumber ? text : preventFormulas(text);
  return safe === "" || /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Inserts an apostrophe wherever a spreadsheet would read a formula. */
function preventFormulas(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return OTHER_SEPARATOR.test(safe) ? safe.replace(FORMULA_BEHIND_SEPARATOR, "'") : safe;
}
