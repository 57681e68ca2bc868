import { type GraphQLObjectType, getNamedType } from "graphql";
import type { PageNode, RawRows } from "../../operation/outcome.ts";
import { readerOf } from "../reader.ts";
import { compileSelected, compute } from "./compile-object.ts";
import { type Compiler, type Places, type Selected, selectedFields, type WritePage } from "./compiler.ts";
import { UNSURE } from "./unsure.ts";
import { writeList } from "./write-value.ts";

type WriteEdge = (page: PageNode, raw: RawRows, index: number, places: Places) => string;

/** A page of rows by Relay's connections. */
export const compilePage =
  (compiler: Compiler): Compiler["page"] =>
  (type, nodes) => {
    const parts = selectedFields(compiler.document, type, nodes).map((selected): WritePage => {
      const { prefix } = selected;
      const write = compilePart(compiler, type, selected);
      return (page, places) => prefix + write(page, places);
    });
    return (page, places) => {
      let text = "{";
      for (const part of parts) text += part(page, places);
      return `${text}}`;
    };
  };

function compilePart(compiler: Compiler, type: GraphQLObjectType, selected: Selected): WritePage {
  const { field, nodes } = selected;
  if (field === undefined) return () => `"${type.name}"`;
  const reader = readerOf(field.resolve);
  const beneath = getNamedType(field.type) as GraphQLObjectType;
  if (reader?.kind === "nodes") {
    const write = compiler.row(beneath, nodes);
    return (page, places) => {
      if (page.texts !== undefined) return `[${page.texts.join(",")}]`;
      const { rows, related } = rawOf(page);
      return writeList(rows, (row) => write(row, related, places));
    };
  }
  if (reader?.kind === "edges") {
    const write = compileEdge(compiler, beneath, nodes);
    return (page, places) => {
      const raw = rawOf(page);
      return writeList(raw.rows, (_, index) => write(page, raw, index, places));
    };
  }
  if (reader?.kind !== "computed") throw UNSURE;
  const write = compileSelected(compiler, field.type, selected);
  return (page) => write(compute(reader.read, page));
}

function compileEdge(compiler: Compiler, type: GraphQLObjectType, nodes: Selected["nodes"]): WriteEdge {
  const parts = selectedFields(compiler.document, type, nodes).map((selected): WriteEdge => {
    const { prefix, field } = selected;
    const reader = readerOf(field?.resolve);
    if (field === undefined) return () => `${prefix}"${type.name}"`;
    if (reader?.kind === "node") {
      const write = compiler.row(getNamedType(field.type) as GraphQLObjectType, selected.nodes);
      return (_, { rows, related }, index, places) => prefix + write(rows[index] as never, related, places);
    }
    if (reader?.kind !== "cursor") throw UNSURE;
    const write = compileSelected(compiler, field.type, selected);
    return (page, _, index) => prefix + write(page.cursor(index));
  });
  return (page, raw, index, places) => {
    let text = "{";
    for (const part of parts) text += part(page, raw, index, places);
    return `${text}}`;
  };
}

/** Where some of it may not be read, there are errors to be told. */
function rawOf({ raw }: PageNode): RawRows {
  if (raw === undefined) throw UNSURE;
  return raw;
}
