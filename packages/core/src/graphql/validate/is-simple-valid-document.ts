import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isInputType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  type VariableDefinitionNode,
} from "graphql";
import { arePlainFields, type Checking } from "./are-plain-fields.ts";
import { isPlainLiteral, type VariableUse } from "./is-plain-literal.ts";

const MAX_FIELDS = 5_000;

/**
 * Checks whether a document is valid (specification §5), in one walk that gives up on any unusual construct. `true`
 * means that graphql-js would find it valid too; `false` means that graphql-js has to decide. Fragments are expanded at
 * each spread, which may multiply the work, so documents with too many fields are left to graphql-js, which visits each
 * fragment once.
 */
export function isSimpleValidDocument(schema: GraphQLSchema, document: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind !== Kind.FRAGMENT_DEFINITION || fragments.has(definition.name.value)) return false;
    else if (!isPlainFragment(definition)) return false;
    else fragments.set(definition.name.value, definition);
  }
  if (operations.length === 0 || !areNamedApart(operations) || isCircular(fragments)) return false;
  const used = new Set<string>();
  const shared = { schema, fragments, used, left: { fields: MAX_FIELDS } };
  return operations.every((operation) => isPlainOperation(shared, operation)) && used.size === fragments.size;
}

function isPlainFragment({ directives, variableDefinitions }: FragmentDefinitionNode): boolean {
  return !directives?.length && !variableDefinitions?.length;
}

/** Whether a fragment contains itself (§5.5.2.2). */
function isCircular(fragments: Checking["fragments"]): boolean {
  const left = new Set<string>();
  const open = new Set<string>();
  const isWithin = (name: string): boolean => {
    if (open.has(name)) return true;
    const fragment = fragments.get(name);
    if (fragment === undefined || left.has(name)) return false;
    open.add(name);
    const found = spreads(fragment.selectionSet).some(isWithin);
    open.delete(name);
    left.add(name);
    return found;
  };
  return [...fragments.keys()].some(isWithin);
}

function spreads({ selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection.name.value];
    return selection.selectionSet === undefined ? [] : spreads(selection.selectionSet);
  });
}

function areNamedApart(operations: readonly OperationDefinitionNode[]): boolean {
  if (operations.length === 1) return true;
  const names = new Set(operations.map((operation) => operation.name?.value));
  return names.size === operations.length && !names.has(undefined);
}

function isPlainOperation(shared: Omit<Checking, "variables">, operation: OperationDefinitionNode): boolean {
  const { schema } = shared;
  const root = schema.getRootType(operation.operation);
  const variables = readVariables(schema, operation.variableDefinitions ?? []);
  if (operation.directives?.length || !isObjectType(root) || variables === undefined) return false;
  if (operation.operation === "subscription" && !hasOneField(operation)) return false;
  const checking = { ...shared, variables };
  return arePlainFields(checking, root, [operation.selectionSet]) && variables.unused.size === 0;
}

/** A subscription has exactly one root field (§5.2.3.1). */
function hasOneField({ selectionSet: { selections } }: OperationDefinitionNode): boolean {
  const [only] = selections;
  return (
    selections.length === 1 && only?.kind === Kind.FIELD && !only.directives?.length && only.name.value !== "__typename"
  );
}

type Types = Map<string, VariableUse["types"] extends ReadonlyMap<string, infer V> ? V : never>;

/** Returns the variables of an operation, or undefined if a definition is not plain. */
function readVariables(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): VariableUse | undefined {
  const types: Types = new Map();
  for (const { variable, type: node, defaultValue, directives } of definitions) {
    const name = variable.name.value;
    const type: unknown = typeFromAST(schema, node as never);
    if (!isInputType(type) || types.has(name) || directives?.length) return undefined;
    if (defaultValue !== undefined && !isPlainLiteral(undefined, type, defaultValue)) return undefined;
    types.set(name, { type, hasDefault: defaultValue !== undefined && defaultValue.kind !== Kind.NULL });
  }
  return { types, unused: new Set(types.keys()) };
}
