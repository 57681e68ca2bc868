import { type GraphQLObjectType, getNamedType, isNonNullType, isObjectType } from "graphql";
import type { Change } from "../../operation/outcome.ts";
import type { RawRow, RowPage } from "../../operation/visible-rows.ts";
import type { TextShape } from "../../operation/text-shape.ts";
import type { Document } from "../lower/document.ts";
import { readerOf } from "../reader.ts";
import { type RootOutcome, type Arguments, type RootField, rootOf } from "../root-field.ts";
import { argumentsFrom, compileArguments, compilePlaces } from "./arguments.ts";
import { compileObject, compileSelected } from "./compile-object.ts";
import { compilePage } from "./compile-page.ts";
import { compileRow, compileRows } from "./compile-row.ts";
import type { Compiler, DynamicPlace, RelationPlaces, SelectedField } from "./compiler.ts";
import type { Variables } from "./literal.ts";
import { compileNodesText } from "./compile-nodes-text.ts";
import { UNSURE } from "./unsure.ts";

/** Serializes the result of a root field. Throws `UNSURE`. */
export type WriteAnswer = (answer: RootOutcome | Change, args: Arguments, places: RelationPlaces) => string;

/** A root field that the engine executes. */
export interface CompiledRoot {
  readonly root: RootField;
  readonly argumentsOf: (variables: Variables) => Arguments;
  /** True if the field only reads, and its arguments contain no variables. */
  readonly isConstant: boolean;
  /** Relations beneath it whose place depends on variables. */
  readonly dynamic: readonly DynamicPlace[];
  /** Absent if graphql-js has to shape the result because the selection contains fields of the host. */
  readonly write: WriteAnswer | undefined;
  /** Compiles the template for the text of a page's rows. Returns undefined if a store can't produce such text. */
  readonly textShape: (places: RelationPlaces) => TextShape | undefined;
}

/** Returns undefined for fields of the host, and for arguments that graphql-js has to judge. */
export function compileRoot(document: Document, selected: SelectedField, isRead: boolean): CompiledRoot | undefined {
  const { field, node } = selected;
  const root = rootOf(field?.subscribe ?? field?.resolve);
  if (field === undefined || root === undefined) return undefined;
  const args = unlessUnsure(() => compileArguments(field, node));
  if (args === undefined) return undefined;
  const dynamic: DynamicPlace[] = [];
  const compiler: Compiler = {
    document,
    isRead,
    dynamic,
    placeOf: compilePlaces(dynamic),
    row: (type, nodes) => compileRow(compiler)(type, nodes),
    rows: (type, nodes) => compileRows(compiler)(type, nodes),
    page: (type, nodes) => compilePage(compiler)(type, nodes),
    object: (type, nodes) => compileObject(compiler)(type, nodes),
  };
  const write = unlessUnsure(() => compileAnswer(compiler, root, selected));
  const textShape = (places: RelationPlaces): TextShape | undefined =>
    unlessUnsure(() => compileTexts(compiler, selected, places));
  const read = (variables: Variables): Arguments => argumentsFrom(args, variables);
  const isConstant = isRead && args.constant !== undefined;
  return { root, argumentsOf: read, isConstant, dynamic: write === undefined ? [] : dynamic, write, textShape };
}

function compileAnswer(compiler: Compiler, root: RootField, selected: SelectedField): WriteAnswer {
  const { field, nodes } = selected;
  if (field === undefined) throw UNSURE;
  const type = getNamedType(field.type);
  const role = isObjectType(type) ? roleOf(type) : "value";
  if (role === "value") {
    const write = compileSelected(compiler, field.type, selected);
    return (answer, args) => write(root.read(answer as RootOutcome, args));
  }
  const nullable = isNonNullType(field.type) ? field.type.ofType : field.type;
  // graphql-js shapes lists of rows whose items may be null.
  if (nullable !== type) throw UNSURE;
  if (role === "page") {
    const write = compiler.page(type as GraphQLObjectType, nodes);
    return (answer, _, places) => write("", pageOf(answer), places);
  }
  const write = compiler.row(type as GraphQLObjectType, nodes);
  const isRequired = isNonNullType(field.type);
  return (answer, _, places) => {
    if (answer.kind === "nothing" && !isRequired) return "null";
    const { row, related } = rawOf(answer);
    return write("", row, related, places);
  };
}

function compileTexts(
  compiler: Compiler,
  { field, nodes }: SelectedField,
  places: RelationPlaces,
): TextShape | undefined {
  const type = field && getNamedType(field.type);
  if (!compiler.isRead || !isObjectType(type) || roleOf(type) !== "page") throw UNSURE;
  return compileNodesText(compiler, { type, nodes }, places);
}

type Role = "row" | "page" | "value";

const ROLES = new WeakMap<GraphQLObjectType, Role>();

function roleOf(type: GraphQLObjectType): Role {
  let role = ROLES.get(type);
  if (role === undefined) {
    role = findRole(type);
    ROLES.set(type, role);
  }
  return role;
}

function findRole(type: GraphQLObjectType): Role {
  for (const { resolve } of Object.values(type.getFields())) {
    const kind = readerOf(resolve)?.kind;
    if (kind === "field" || kind === "relation") return "row";
    if (kind === "nodes" || kind === "edges") return "page";
  }
  return "value";
}

function pageOf(answer: RootOutcome | Change): RowPage {
  if (answer.kind !== "page") throw UNSURE;
  return answer.page;
}

function rawOf(answer: RootOutcome | Change): RawRow {
  const raw = "row" in answer ? answer.row.raw : undefined;
  if (raw === undefined) throw UNSURE;
  return raw;
}

export function unlessUnsure<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (thrown) {
    if (thrown !== UNSURE) throw thrown;
    return undefined;
  }
}
