import { type FieldNode, type GraphQLObjectType, getNamedType, isNonNullType, isObjectType } from "graphql";
import type { Row } from "../../model/model.ts";
import type { RawRelations } from "../../operation/visible-rows.ts";
import { type Reader, readerOf } from "../reader.ts";
import { typeWithoutErrors } from "../schema/semantic-non-null.ts";
import { compileSelected, compute } from "./compile-object.ts";
import {
  type Compiler,
  type RelationReader,
  type SelectedField,
  selectedFields,
  type WriteRow,
  type WriteRows,
} from "./compiler.ts";
import type { OwnerPlace } from "../../operation/owned-lists.ts";
import { keepLists } from "./kept-lists.ts";
import { keepTexts } from "./kept-texts.ts";
import { repeatRows } from "./repeat-rows.ts";
import { sharedRuns, type WriteRun } from "./shared-runs.ts";
import { UNSURE } from "./unsure.ts";
import { compileQuoted, isPlain, type WriteValue } from "./write-value.ts";

/** Consecutive fields that need only the row itself, or one relation. */
type Run = SelectedField[] | { readonly prefix: string; readonly write: WriteRow };

/** Compiles a row as runs of its own fields, with relations between them. */
export const compileRow =
  (compiler: Compiler): Compiler["row"] =>
  (type, nodes) =>
    joinRuns(compiler, type, runsOf(compiler, type, nodes));

/** Compiles a list of rows. Its text is cached if the store returns the same rows, and those that they refer to. */
export const compileRows =
  (compiler: Compiler): Compiler["rows"] =>
  (type, nodes) => {
    const runs = runsOf(compiler, type, nodes);
    const write = joinRuns(compiler, type, runs);
    const writeAll: WriteRows = (text, { rows, related }, places) => {
      let list = `${text}[`;
      // V8 iterates over a frozen list several times slower.
      for (let index = 0; index < rows.length; index++)
        list = write(index === 0 ? list : `${list},`, rows[index] as Row, related, places);
      return `${list}]`;
    };
    if (!compiler.isRead || runs.length === 0) return writeAll;
    if (!runs.every(Array.isArray)) return keepLists(writeAll, () => ownerPlaces(compiler, type, nodes));
    const keptText = keepTexts((text, rows: readonly Row[]) => writeAll(text, { rows, related: NO_RELATIONS }, []));
    const writeList = keepLists(writeAll, () => []);
    return (text, raw, places) => (Object.isFrozen(raw.rows) ? keptText(text, raw.rows) : writeList(text, raw, places));
  };

/** Returns undefined if the text of a row depends on other relations than those to rows that it refers to. */
function ownerPlaces(
  compiler: Compiler,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): readonly OwnerPlace[] | undefined {
  const found: OwnerPlace[] = [];
  for (const selected of selectedFields(compiler.document, type, nodes)) {
    const { field, node } = selected;
    const reader = readerOf(field?.resolve);
    if (field === undefined || (reader?.kind !== "relation" && reader?.kind !== "groups")) continue;
    const target = getNamedType(field.type);
    if (reader.kind === "groups" || reader.many || !isObjectType(target)) return undefined;
    const beneath = ownerPlaces(compiler, target, selected.nodes);
    if (beneath === undefined) return undefined;
    found.push({ placeOf: compiler.placeOf(field, node, reader), beneath });
  }
  return found;
}

const NO_RELATIONS: RawRelations = new Map();

function runsOf(compiler: Compiler, type: GraphQLObjectType, nodes: readonly FieldNode[]): readonly Run[] {
  const runs: Run[] = [];
  for (const selected of selectedFields(compiler.document, type, nodes)) {
    const reader = readerOf(selected.field?.resolve);
    if (reader?.kind === "groups") {
      runs.push({ prefix: selected.prefix, write: compileGroups(compiler, selected, reader) });
      continue;
    }
    if (reader?.kind === "relation") {
      runs.push({ prefix: selected.prefix, write: compileRelation(compiler, selected, reader) });
      continue;
    }
    const run = runs.at(-1);
    if (Array.isArray(run)) run.push(selected);
    else runs.push([selected]);
  }
  return runs;
}

function joinRuns(compiler: Compiler, type: GraphQLObjectType, runs: readonly Run[]): WriteRow {
  const parts = runs.map((run, index): WriteRow => {
    const next = runs[index + 1];
    // Each text that is appended is work, so a run ends with what comes before the next relation.
    const close = next === undefined ? "}" : Array.isArray(next) ? "" : next.prefix;
    if (Array.isArray(run)) return compileOwn(compiler, type, run, index === 0 ? "{" : "", close);
    const open = index === 0 ? `{${run.prefix}` : "";
    return (text, row, related, places) => run.write(text + open, row, related, places) + close;
  });
  const [first, second] = parts;
  if (first === undefined) return (text) => `${text}{}`;
  if (second === undefined) return first;
  if (parts.length === 2)
    return (text, row, related, places) => second(first(text, row, related, places), row, related, places);
  return (text, row, related, places) => {
    let whole = text;
    for (const part of parts) whole = part(whole, row, related, places);
    return whole;
  };
}

/** Compiles fields that need only the row itself. A run of leaves is the same in every document that selects them. */
function compileOwn(
  compiler: Compiler,
  type: GraphQLObjectType,
  fields: readonly SelectedField[],
  open: string,
  close: string,
): WriteRun {
  const join = (): WriteRun => joinOwn(compiler, type, fields, open, close);
  if (!compiler.isRead) return join();
  if (fields.some(({ node }) => node.selectionSet !== undefined)) return keepTexts(join());
  let key = `${type.name} ${open}`;
  for (const { prefix, node } of fields) key += prefix + node.name.value;
  return sharedRuns(compiler.document.schema)(key + close, () => keepTexts(join()));
}

/** A field after the text between it and the field before it. */
interface OwnPart {
  readonly before: string;
  /** Reads the value; undefined if it is the property `name` of the row. */
  readonly read: ((row: Row) => unknown) | undefined;
  readonly name: string;
  /** Whether `before` ends with the quote of a text. */
  readonly isQuoted: boolean;
  readonly write: WriteValue;
}

function joinOwn(
  compiler: Compiler,
  type: GraphQLObjectType,
  fields: readonly SelectedField[],
  open: string,
  close: string,
): WriteRun {
  let before = open;
  const parts: OwnPart[] = [];
  for (const selected of fields) {
    const { prefix, field } = selected;
    if (field === undefined) {
      before += `${prefix}"${type.name}"`;
      continue;
    }
    const reader = readerOf(field.resolve);
    if (reader?.kind !== "field" && reader?.kind !== "computed") throw UNSURE;
    const quoted = compileQuoted(typeWithoutErrors(field));
    const write = quoted ?? compileSelected(compiler, typeWithoutErrors(field), selected);
    const isQuoted = quoted !== undefined;
    const quote = isQuoted ? '"' : "";
    parts.push({ before: before + prefix + quote, ...compileRead(reader), isQuoted, write });
    before = quote;
  }
  const after = before + close;
  return (text, row) => {
    let whole = text;
    for (let index = 0; index < parts.length; index++) {
      const { before, read, name, isQuoted, write } = parts[index] as OwnPart;
      const value = read === undefined ? valueOf(row, name) : read(row);
      // Most values are short texts. Calling `write` for them takes longer than the check.
      whole += before + (isQuoted && typeof value === "string" && isPlain(value) ? value : write(value));
    }
    return whole + after;
  };
}

function compileRead(reader: Extract<Reader, { kind: "field" | "computed" }>): Pick<OwnPart, "read" | "name"> {
  if (reader.kind === "computed") return { read: (row) => compute(reader.read, row), name: "" };
  const { name } = reader;
  // Only these names need a check of each row, which takes time.
  const isInherited = name in Object.prototype;
  return { read: isInherited ? (row) => ownValueOf(row, name) : undefined, name };
}

/** A stored row has a value for every field. If there is no value, the field was not read. */
function valueOf(row: Row, name: string): unknown {
  const value = row[name];
  if (value === undefined) throw UNSURE;
  return value;
}

function ownValueOf(row: Row, name: string): unknown {
  if (!Object.hasOwn(row, name)) throw UNSURE;
  return valueOf(row, name);
}

function compileGroups(compiler: Compiler, selected: SelectedField, reader: RelationReader): WriteRow {
  const { field, node } = selected;
  if (field === undefined) throw UNSURE;
  const write = compileSelected(compiler, field.type, selected);
  const placeOf = compiler.placeOf(field, node, reader);
  return (text, row, related, places) => {
    const groupsOf = related.get(placeOf(places))?.groupsOf;
    if (groupsOf === undefined) throw UNSURE;
    return text + write(groupsOf(row));
  };
}

function compileRelation(
  compiler: Compiler,
  { field, node, nodes }: SelectedField,
  reader: Extract<RelationReader, { kind: "relation" }>,
): WriteRow {
  if (field === undefined) throw UNSURE;
  const type = getNamedType(field.type);
  if (!isObjectType(type)) throw UNSURE;
  const placeOf = compiler.placeOf(field, node, reader);
  if (reader.many) {
    const write = compiler.page(type, nodes);
    return (text, row, related, places) => {
      const pageOf = related.get(placeOf(places))?.pageOf;
      if (pageOf === undefined) throw UNSURE;
      return write(text, pageOf(row), places);
    };
  }
  const write = repeatRows(compiler.row(type, nodes));
  const isRequired = isNonNullType(typeWithoutErrors(field));
  return (text, row, related, places) => {
    const relation = related.get(placeOf(places));
    if (relation?.rowOf === undefined) throw UNSURE;
    const target = relation.rowOf(row);
    if (target !== null) return write(text, target, relation, places);
    if (isRequired) throw UNSURE;
    return `${text}null`;
  };
}
