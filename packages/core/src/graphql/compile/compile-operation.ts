import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from "graphql";
import { unlessUnsure } from "./compile-root.ts";
import { bytesOfPlan, type Grow } from "./document-bytes.ts";
import type { Variables } from "./literal.ts";
import { compilePlan, type OperationPlan, type PlanSource, type IsIncluded } from "./plan.ts";
import { type CoerceVariables, compileVariables } from "./variables.ts";
import { UNSURE } from "./unsure.ts";

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
  /** Called for each thing that is cached with the document. */
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
      grow(() => bytesOfPlan(source));
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

/**
 * Returns the names of the operation's variables that `@skip` and `@include` use. Other operations may define variables
 * of the same names.
 */
function conditionsOf(document: DocumentNode, operation: OperationDefinitionNode): readonly string[] {
  const names = new Set<string>();
  // Most documents have no directives, and so no `@`.
  if (document.loc?.source.body.includes("@") === false) return [];
  visit(document, {
    Directive: ({ name, arguments: given }) => {
      if (name.value !== "skip" && name.value !== "include") return;
      for (const { value } of given ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return (operation.variableDefinitions ?? []).flatMap(({ variable: { name }, type }) => {
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    const isBoolean = named.kind === Kind.NAMED_TYPE && named.name.value === "Boolean";
    return isBoolean && names.has(name.value) ? [name.value] : [];
  });
}

/** Returns one character per condition, so that equal decisions have equal texts. */
function decisionsOf(conditions: readonly string[], variables: Variables): string {
  let text = "";
  for (const name of conditions) {
    const value = valueOf(variables, name);
    text += value === true ? "t" : value === false ? "f" : "-";
  }
  return text;
}

function valueOf(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Returns a predicate for the variables of one execution (specification §3.13.1 and §3.13.2). */
function includedBy(variables: Variables): IsIncluded {
  const isTrue = (node: SelectionNode, name: string): boolean | undefined => {
    const directive = node.directives?.find((one) => one.name.value === name);
    if (directive === undefined) return undefined;
    const value = directive.arguments?.[0]?.value;
    if (value?.kind === Kind.BOOLEAN) return value.value;
    const given = value?.kind === Kind.VARIABLE ? valueOf(variables, value.name.value) : undefined;
    if (typeof given !== "boolean") throw UNSURE;
    return given;
  };
  return (node) => {
    if (node.directives === undefined || node.directives.length === 0) return true;
    return isTrue(node, "skip") !== true && isTrue(node, "include") !== false;
  };
}
