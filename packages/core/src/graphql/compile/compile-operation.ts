import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from "graphql";
import { unlessUnsure } from "./compile-root.ts";
import { conditionsOf, decisionsOf, includedBy } from "./conditions.ts";
import { bytesOfPlan, type Grow } from "./document-bytes.ts";
import type { Variables } from "./literal.ts";
import { compilePlan, type OperationPlan, type PlanSource } from "./plan.ts";
import { compileVariables, type CoerceVariables } from "./variables.ts";

/** An operation of a validated document. */
export interface CompiledOperation {
  readonly operation: OperationDefinitionNode;
  /** The document without `@defer` and `@stream`, for a response in one piece. */
  readonly document: DocumentNode;
  /** Present if the document uses `@defer` or `@stream`: for an incremental response. */
  readonly inParts: (PlanSource & { readonly document: DocumentNode }) | undefined;
  readonly source: PlanSource;
  readonly coerce: CoerceVariables;
  /** Returns undefined if graphql-js has to execute the whole operation. */
  readonly planFor: (variables: Variables) => OperationPlan | undefined;
}

const MAX_PLANS = 16;

export interface CompileOptions {
  readonly schema: GraphQLSchema;
  readonly hideSuggestions: boolean;
  /** Maximum number of errors in variables. */
  readonly maxErrors: number;
  /** Called with the estimated size, in bytes, of each thing that is cached with the document. */
  readonly grow: Grow;
}

/** Compiles on first use, so that a document that is rejected or runs once costs little. */
export function compileOperation(
  { schema, grow, ...errors }: CompileOptions,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  inParts?: { readonly document: DocumentNode; readonly operation: OperationDefinitionNode },
): CompiledOperation {
  const source = { schema, operation, fragments: fragmentsOf(document) };
  const conditions = conditionsOf(document, operation);
  const plans = new Map<string, OperationPlan | undefined>();
  return {
    operation,
    document,
    inParts: inParts && { ...inParts, schema, fragments: fragmentsOf(inParts.document) },
    source,
    coerce: compileVariables(schema, operation.variableDefinitions ?? [], errors),
    planFor: (variables) => {
      const key = decisionsOf(conditions, variables);
      if (plans.has(key)) return plans.get(key);
      const plan = unlessUnsure(() => compilePlan(source, includedBy(variables), grow));
      // An evicted plan still counts until the document itself is evicted.
      grow(bytesOfPlan(source));
      if (plans.size >= MAX_PLANS) plans.delete(plans.keys().next().value as string);
      plans.set(key, plan);
      return plan;
    },
  };
}

function fragmentsOf(document: DocumentNode): PlanSource["fragments"] {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}
