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
import { compilePlan, type Plan, type PlanSource } from "./plan.ts";
import { compileVariables, type CoerceVariables } from "./variables.ts";

/** An operation of a checked document. */
export interface CompiledOperation {
  readonly operation: OperationDefinitionNode;
  /** Without `@defer` and `@stream`: as it is answered whole. */
  readonly document: DocumentNode;
  /** Where there was one of them: as it is answered in parts. */
  readonly inParts: (PlanSource & { readonly document: DocumentNode }) | undefined;
  readonly source: PlanSource;
  readonly coerce: CoerceVariables;
  /** Undefined where graphql-js has to execute all of it. */
  readonly planFor: (variables: Variables) => Plan | undefined;
}

const MOST = 16;

export interface CompileOptions {
  readonly schema: GraphQLSchema;
  readonly hideSuggestions: boolean;
  /** Of variables. */
  readonly maxErrors: number;
  /** Called with the estimated size of each thing that is kept with the document. */
  readonly grow: Grow;
}

/** Compiles when first asked: a document that is refused, or runs once, costs no more than it must. */
export function compileOperation(
  { schema, grow, ...errors }: CompileOptions,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  inParts?: { readonly document: DocumentNode; readonly operation: OperationDefinitionNode },
): CompiledOperation {
  const source = { schema, operation, fragments: fragmentsOf(document) };
  const conditions = conditionsOf(document, operation);
  const plans = new Map<string, Plan | undefined>();
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
      // A plan that gives way to another one still counts, until the document itself gives way.
      grow(bytesOfPlan(source));
      if (plans.size >= MOST) plans.delete(plans.keys().next().value as string);
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
