import { type GraphQLObjectType, getNamedType } from "graphql";
import type { RawRows, RowPage } from "../../operation/visible-rows.ts";
import { readerOf } from "../reader.ts";
import { compileSelected, compute } from "./compile-object.ts";
import { type Compiler, type RelationPlaces, type SelectedField, selectedFields, type WritePage } from "./compiler.ts";
import { UNSURE } from "./unsure.ts";

type WriteEdge = (text: string, page: RowPage, raw: RawRows, index: number, places: RelationPlaces) => string;

/** Compiles a page of rows, which is a Relay connection. */
export const compilePage =
  (compiler: Compiler): Compiler["page"] =>
  (type, nodes) => {
    const parts = selectedFields(compiler.document, type, nodes).map((selected, index): WritePage => {
      const prefix = (index === 0 ? "{" : "") + selected.prefix;
      const write = compilePart(compiler, type, selected);
      return (text, page, places) => write(text + prefix, page, places);
    });
    if (parts.length === 0) return (text) => `${text}{}`;
    return (text, page, places) => {
      let whole = text;
      for (const part of parts) whole = part(whole, page, places);
      return `${whole}}`;
    };
  };

function compilePart(compiler: Compiler, type: GraphQLObjectType, selected: SelectedField): WritePage {
  const { field, nodes } = selected;
  if (field === undefined) return (text) => `${text}"${type.name}"`;
  const reader = readerOf(field.resolve);
  const beneath = getNamedType(field.type) as GraphQLObjectType;
  if (reader?.kind === "nodes") {
    const write = compiler.rows(beneath, nodes);
    return (text, page, places) => {
      if (page.texts !== undefined) return appendTexts(text, page.texts);
      return write(text, rawOf(page), places);
    };
  }
  if (reader?.kind === "edges") {
    const write = compileEdge(compiler, beneath, nodes);
    return (text, page, places) => {
      const raw = rawOf(page);
      let list = `${text}[`;
      for (const index of raw.rows.keys()) list = write(index === 0 ? list : `${list},`, page, raw, index, places);
      return `${list}]`;
    };
  }
  if (reader?.kind !== "computed") throw UNSURE;
  const write = compileSelected(compiler, field.type, selected);
  return (text, page) => text + write(compute(reader.read, page));
}

/** Takes less memory than `join`, whose result would be copied into the response once more. */
function appendTexts(text: string, texts: readonly string[]): string {
  let list = `${text}[`;
  for (let index = 0; index < texts.length; index++) list += index === 0 ? texts[index] : `,${texts[index]}`;
  return `${list}]`;
}

function compileEdge(compiler: Compiler, type: GraphQLObjectType, nodes: SelectedField["nodes"]): WriteEdge {
  const parts = selectedFields(compiler.document, type, nodes).map((selected, place): WriteEdge => {
    const { field } = selected;
    const prefix = (place === 0 ? "{" : "") + selected.prefix;
    const reader = readerOf(field?.resolve);
    if (field === undefined) return (text) => `${text}${prefix}"${type.name}"`;
    if (reader?.kind === "node") {
      const write = compiler.row(getNamedType(field.type) as GraphQLObjectType, selected.nodes);
      return (text, _, { rows, related }, index, places) => write(text + prefix, rows[index] as never, related, places);
    }
    if (reader?.kind !== "cursor") throw UNSURE;
    const write = compileSelected(compiler, field.type, selected);
    return (text, page, _, index) => text + prefix + write(page.cursor(index));
  });
  if (parts.length === 0) return (text) => `${text}{}`;
  return (text, page, raw, index, places) => {
    let whole = text;
    for (const part of parts) whole = part(whole, page, raw, index, places);
    return `${whole}}`;
  };
}

/** A page has no raw rows if the caller is not allowed to read some fields; then the result has errors. */
function rawOf({ raw }: RowPage): RawRows {
  if (raw === undefined) throw UNSURE;
  return raw;
}
