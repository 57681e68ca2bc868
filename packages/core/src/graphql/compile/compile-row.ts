import { getNamedType, isNonNullType, isObjectType } from "graphql";
import type { Row } from "../../model/model.ts";
import { readerOf } from "../reader.ts";
import { compileSelected, compute } from "./compile-object.ts";
import { type Compiler, type RelationReader, type Selected, selectedFields, type WriteRow } from "./compiler.ts";
import { keepTexts } from "./kept-texts.ts";
import { UNSURE } from "./unsure.ts";

type WriteOwn = (row: Row) => string;

/** A row: runs of fields that the row alone tells, and what its relations lead to. */
export const compileRow =
  (compiler: Compiler): Compiler["row"] =>
  (type, nodes) => {
    const parts: WriteRow[] = [];
    let own: WriteOwn[] = [];
    const endRun = (): void => {
      if (own.length > 0) parts.push(compiler.isRead ? keepTexts(joinOwn(own)) : joinOwn(own));
      own = [];
    };
    for (const selected of selectedFields(compiler.document, type, nodes)) {
      const { prefix, field } = selected;
      const reader = readerOf(field?.resolve);
      if (field === undefined) own.push(() => `${prefix}"${type.name}"`);
      else if (reader?.kind === "field") {
        const { name } = reader;
        const write = compileSelected(compiler, field.type, selected);
        own.push((row) => prefix + write(valueOf(row, name)));
      } else if (reader?.kind === "computed") {
        const write = compileSelected(compiler, field.type, selected);
        own.push((row) => prefix + write(compute(reader.read, row)));
      } else if (reader?.kind === "relation") {
        endRun();
        const write = compileRelation(compiler, selected, reader);
        parts.push((row, related, places) => prefix + write(row, related, places));
      } else throw UNSURE;
    }
    endRun();
    const [only] = parts;
    if (only !== undefined && parts.length === 1) return (row, related, places) => `{${only(row, related, places)}}`;
    return (row, related, places) => {
      let text = "{";
      for (const part of parts) text += part(row, related, places);
      return `${text}}`;
    };
  };

function joinOwn(own: readonly WriteOwn[]): WriteOwn {
  return (row) => {
    let text = "";
    for (const write of own) text += write(row);
    return text;
  };
}

/** A stored row has every field; what has none was never read. */
function valueOf(row: Row, name: string): unknown {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (value === undefined) throw UNSURE;
  return value;
}

function compileRelation(compiler: Compiler, { field, node, nodes }: Selected, reader: RelationReader): WriteRow {
  if (field === undefined) throw UNSURE;
  const type = getNamedType(field.type);
  if (!isObjectType(type)) throw UNSURE;
  const placeOf = compiler.placeOf(field, node, reader);
  if (reader.many) {
    const write = compiler.page(type, nodes);
    return (row, related, places) => {
      const pageOf = related.get(placeOf(places))?.pageOf;
      if (pageOf === undefined) throw UNSURE;
      return write(pageOf(row), places);
    };
  }
  const write = compiler.row(type, nodes);
  const isRequired = isNonNullType(field.type);
  return (row, related, places) => {
    const relation = related.get(placeOf(places));
    if (relation?.rowOf === undefined) throw UNSURE;
    const target = relation.rowOf(row);
    if (target !== null) return write(target, relation.related, places);
    if (isRequired) throw UNSURE;
    return "null";
  };
}
