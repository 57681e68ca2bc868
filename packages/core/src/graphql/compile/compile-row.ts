import { getNamedType, isNonNullType, isObjectType } from "graphql";
import type { Row } from "../../model/model.ts";
import { readerOf } from "../reader.ts";
import { compileSelected, compute } from "./compile-object.ts";
import { type Compiler, type RelationReader, type SelectedField, selectedFields, type WriteRow } from "./compiler.ts";
import { keepTexts } from "./kept-texts.ts";
import { UNSURE } from "./unsure.ts";

type WriteOwn = (row: Row) => string;

/** Consecutive fields that need only the row itself, or one relation. */
type Run = WriteOwn[] | { readonly prefix: string; readonly write: WriteRow };

/** Compiles a row as runs of its own fields, with relations between them. */
export const compileRow =
  (compiler: Compiler): Compiler["row"] =>
  (type, nodes) => {
    const runs: Run[] = [];
    const addOwn = (write: WriteOwn): void => {
      const run = runs.at(-1);
      if (Array.isArray(run)) run.push(write);
      else runs.push([write]);
    };
    for (const selected of selectedFields(compiler.document, type, nodes)) {
      const { prefix, field } = selected;
      const reader = readerOf(field?.resolve);
      if (field === undefined) addOwn(() => `${prefix}"${type.name}"`);
      else if (reader?.kind === "field") {
        const { name } = reader;
        const write = compileSelected(compiler, field.type, selected);
        addOwn((row) => prefix + write(valueOf(row, name)));
      } else if (reader?.kind === "computed") {
        const write = compileSelected(compiler, field.type, selected);
        addOwn((row) => prefix + write(compute(reader.read, row)));
      } else if (reader?.kind === "relation") {
        runs.push({ prefix, write: compileRelation(compiler, selected, reader) });
      } else throw UNSURE;
    }
    const parts = runs.map((run, index) =>
      compileRun(compiler, run, index === 0 ? "{" : "", index === runs.length - 1 ? "}" : ""),
    );
    const [only] = parts;
    if (only === undefined) return (text) => `${text}{}`;
    if (parts.length === 1) return only;
    return (text, row, related, places) => {
      let whole = text;
      for (const part of parts) whole = part(whole, row, related, places);
      return whole;
    };
  };

/** Adds the opening brace before the first run and the closing brace after the last one. */
function compileRun({ isRead }: Compiler, run: Run, open: string, close: string): WriteRow {
  if (Array.isArray(run)) {
    const write = joinOwn(run, open, close);
    const kept = isRead ? keepTexts(write) : write;
    return (text, row) => text + kept(row);
  }
  const { write } = run;
  const prefix = open + run.prefix;
  if (close === "") return (text, row, related, places) => write(text + prefix, row, related, places);
  return (text, row, related, places) => write(text + prefix, row, related, places) + close;
}

function joinOwn(own: readonly WriteOwn[], open: string, close: string): WriteOwn {
  return (row) => {
    let text = open;
    for (const write of own) text += write(row);
    return text + close;
  };
}

/** A stored row has a value for every field. If there is no value, the field was not read. */
function valueOf(row: Row, name: string): unknown {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (value === undefined) throw UNSURE;
  return value;
}

function compileRelation(compiler: Compiler, { field, node, nodes }: SelectedField, reader: RelationReader): WriteRow {
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
  const write = compiler.row(type, nodes);
  const isRequired = isNonNullType(field.type);
  return (text, row, related, places) => {
    const relation = related.get(placeOf(places));
    if (relation?.rowOf === undefined) throw UNSURE;
    const target = relation.rowOf(row);
    if (target !== null) return write(text, target, relation.related, places);
    if (isRequired) throw UNSURE;
    return `${text}null`;
  };
}
