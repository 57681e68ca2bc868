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
import type { Grow } from "./document-bytes.ts";
import { argumentsFrom, compileArguments, type CompiledArguments } from "./arguments.ts";
import { type CompiledRoot, compileRoot, unlessUnsure } from "./compile-root.ts";
import { type SelectedField, selectedFields } from "./compiler.ts";
import { rememberShape, type ShapeOf } from "./shape.ts";
import type { Variables } from "./literal.ts";
import { UNSURE } from "./unsure.ts";

/** Whether `@skip` and `@include` leave a selection in the document. */
export type IsIncluded = (node: SelectionNode) => boolean;

export interface PlanSource {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode | undefined>>;
}

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
