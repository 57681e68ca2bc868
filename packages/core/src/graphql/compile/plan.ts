import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from "graphql";
import type { Document } from "../lower/document.ts";
import type { Operation } from "../../operation/operation.ts";
import type { TextShape } from "../../operation/text-shape.ts";
import type { Arguments } from "../root-field.ts";
import { bytesOfShape, type Grow } from "./document-bytes.ts";
import { argumentsFrom, compileArguments, type CompiledArguments } from "./arguments.ts";
import { type CompiledRoot, compileRoot, unlessUnsure } from "./compile-root.ts";
import { type RelationPlaces, type SelectedField, selectedFields } from "./compiler.ts";
import type { Variables } from "./literal.ts";
import { UNSURE } from "./unsure.ts";

/** Whether `@skip` and `@include` leave a selection in the document. */
export type IsIncluded = (node: SelectionNode) => boolean;

export interface PlanSource {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode | undefined>>;
}

/** The lowered selection of a root field, and the places of its relations. */
export interface LoweredSelection {
  /** Lowers the field to its operation. Returns undefined if no operation is needed. */
  readonly lower: (args: Arguments) => Operation | undefined;
  readonly places: RelationPlaces;
  /** Returns the template for the text of a page's rows. Compiled on first use, because few stores need it. */
  readonly textShape: () => TextShape | undefined;
}

/** Throws the errors of lowering, and `UNSURE`. */
export type ShapeOf = (variables: Variables) => LoweredSelection;

/** One root field of a plan. */
export interface RootPlan extends SelectedField {
  /** Whether an error in this field makes `data` null. */
  readonly isNonNull: boolean;
  /** The text of `__typename`, which does not depend on the execution. */
  readonly constant: string | undefined;
  /** Absent if graphql-js executes the field. */
  readonly compiled: CompiledRoot | undefined;
  readonly shapeOf: ShapeOf | undefined;
}

/** An operation of a document, compiled for one combination of `@skip` and `@include` conditions. */
export interface OperationPlan {
  readonly source: PlanSource;
  readonly roots: readonly RootPlan[];
}

const MAX_SHAPES = 32;
/** Maximum length, in characters, of the key of a cached shape. */
const MAX_KEY_LENGTH = 1_000;

export function compilePlan(source: PlanSource, isIncluded: IsIncluded, grow: Grow): OperationPlan {
  const { schema, operation, fragments } = source;
  const type = schema.getRootType(operation.operation);
  if (type === null || type === undefined) throw UNSURE;
  const known = new WeakMap<FieldNode, CompiledArguments>();
  const documentFor = (variables: Variables): Document => ({
    schema,
    fragments,
    isIncluded,
    argumentsOf: (field, node) => {
      let args = known.get(node);
      if (args === undefined) {
        args = compileArguments(field, node);
        known.set(node, args);
      }
      return argumentsFrom(args, variables);
    },
  });
  const top: FieldNode = {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: operation.operation },
    selectionSet: operation.selectionSet,
  };
  const document = documentFor({});
  const roots = selectedFields(document, type, [top]).map((selected): RootPlan => {
    const compiled = unlessUnsure(() => compileRoot(document, selected, operation.operation === "query"));
    return {
      ...selected,
      isNonNull: selected.field !== undefined && isNonNullType(selected.field.type),
      constant: selected.field === undefined ? `"${type.name}"` : undefined,
      compiled,
      shapeOf: compiled && rememberShape(compiled, selected.nodes, documentFor, grow),
    };
  });
  return { source, roots };
}

/** Lowers the selection of a root field, once for each set of values of the variables in it. */
function rememberShape(
  compiled: CompiledRoot,
  nodes: readonly FieldNode[],
  documentFor: (variables: Variables) => Document,
  grow: Grow,
): ShapeOf {
  const { root, dynamic, write } = compiled;
  const known = new Map<string, LoweredSelection>();
  let bytes: number | undefined;
  return (variables) => {
    // A root without a writer has not compiled its selection, so the variables that it depends on are unknown.
    if (write === undefined) return lowered(compiled, root.select(nodes, documentFor(variables)), []);
    const args = dynamic.map((place) => place.argumentsOf(variables));
    const key = args.length === 0 ? "" : JSON.stringify(args);
    const before = known.get(key);
    if (before !== undefined) return before;
    const selected = root.select(nodes, documentFor(variables));
    const places = dynamic.map((place, index) => place.placeOf(args[index] as never));
    const shape = lowered(compiled, selected, places);
    if (key.length >= MAX_KEY_LENGTH) return shape;
    if (known.size < MAX_SHAPES) grow(() => (bytes ??= bytesOfShape(nodes, documentFor(variables).fragments)));
    else known.delete(known.keys().next().value as string);
    known.set(key, shape);
    return shape;
  };
}

function lowered(
  { root, isConstant, write, textShape }: CompiledRoot,
  selected: unknown,
  places: RelationPlaces,
): LoweredSelection {
  let text: { readonly shape: TextShape | undefined } | undefined;
  let operation: Operation | undefined;
  return {
    places,
    lower: (args) => {
      if (!isConstant) return root.lower(args, selected);
      operation ??= root.lower(args, selected);
      // A copy, because hooks and observers see the operation.
      return operation && { ...operation };
    },
    textShape: () => (text ??= { shape: write && textShape(places) }).shape,
  };
}
