import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { Selection } from "../../operation/selection.ts";
import type { Json } from "../../util/json.ts";
import { type Format, isRows, type RowView, rowToJson, type View } from "./format.ts";

interface Column {
  readonly name: string;
  readonly read: (row: RowView) => Json;
  /** True if its text is always a number, such as a `bigint`. */
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
};

function columnsOf(model: Model, resource: ResourceModel, { fields, relations }: Selection): readonly Column[] {
  const columns: Column[] = fields.map((name) => ({
    name,
    read: (row) => row.fields[name] ?? null,
    isNumber: resource.fields.get(name)?.type.kind === "bigint",
  }));
  for (const { relation: name, selection } of relations) {
    const relation = resource.relations.get(name) as RelationModel;
    if (relation.many) columns.push({ name, read: (row) => readMany(row, name), isNumber: false });
    else {
      const far = columnsOf(model, model.resources.get(relation.target) as ResourceModel, selection);
      for (const { name: inner, read, isNumber } of far) {
        columns.push({ name: `${name}.${inner}`, read: (row) => readOne(row, name, read), isNumber });
      }
    }
  }
  return columns;
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

/** Prefixes text with an apostrophe if a spreadsheet would run it as a formula. Numbers are safe. */
function writeText(text: string, isNumber = false): string {
  const safe = !isNumber && FORMULA.test(text) ? `'${text}` : text;
  return safe === "" || /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
