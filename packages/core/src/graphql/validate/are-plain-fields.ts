import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  GraphQLBoolean,
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { hasDefault } from "../compile/literal.ts";
import { isPlainLiteral, type VariableUse } from "./is-plain-literal.ts";

/** The state of checking one operation. */
export interface Checking {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Fragments that some operation spreads. */
  readonly used: Set<string>;
  /** How many more fields may be visited, in all operations together. */
  readonly left: { fields: number };
  readonly variables: VariableUse;
}

type ByKey = Map<string, FieldNode[]>;
type Sets = readonly (SelectionSetNode | undefined)[];

/** Whether the merged selection sets of an object are valid, including everything beneath them (§5.3). */
export function arePlainFields(checking: Checking, type: GraphQLObjectType, sets: Sets): boolean {
  const byKey: ByKey = new Map();
  const spread = new Set<string>();
  for (const set of sets) if (set === undefined || !collect(checking, type, set, byKey, spread)) return false;
  for (const nodes of byKey.values()) if (!isPlainField(checking, type, nodes)) return false;
  return true;
}

/** Expands fragments. Only fragments on exactly this type count as plain. */
function collect(
  checking: Checking,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  byKey: ByKey,
  spread: Set<string>,
): boolean {
  return selections.every((selection) => {
    const { directives = [] } = selection;
    if (directives.length > 0 && !arePlainDirectives(checking, directives)) return false;
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      const before = byKey.get(key);
      if (before === undefined) byKey.set(key, [selection]);
      else before.push(selection);
      return true;
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const { typeCondition, selectionSet } = selection;
      if (typeCondition !== undefined && typeCondition.name.value !== type.name) return false;
      return collect(checking, type, selectionSet, byKey, spread);
    }
    return isPlainSpread(checking, type, selection.name.value, byKey, spread);
  });
}

function isPlainSpread(
  checking: Checking,
  type: GraphQLObjectType,
  name: string,
  byKey: ByKey,
  spread: Set<string>,
): boolean {
  // A second spread in the same place has no effect.
  if (spread.has(name)) return true;
  const fragment = checking.fragments.get(name);
  if (fragment === undefined || fragment.typeCondition.name.value !== type.name) return false;
  checking.used.add(name);
  spread.add(name);
  return collect(checking, type, fragment.selectionSet, byKey, spread);
}

/** Whether all nodes of one response key select the same field, and their merged selections are valid (§5.3.2). */
function isPlainField(checking: Checking, type: GraphQLObjectType, nodes: readonly FieldNode[]): boolean {
  if (--checking.left.fields < 0) return false;
  const [node] = nodes as [FieldNode];
  if (nodes.length > 1 && !nodes.every((other) => isSameField(node, other))) return false;
  const name = node.name.value;
  if (name === "__typename") return nodes.every((one) => one.selectionSet === undefined && !one.arguments?.length);
  const fields = type.getFields();
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined || !nodes.every((one) => arePlainArguments(checking, field, one))) return false;
  const inner = getNamedType(field.type);
  if (isLeafType(inner)) return nodes.every((one) => one.selectionSet === undefined);
  return (
    isObjectType(inner) &&
    arePlainFields(
      checking,
      inner,
      nodes.map((one) => one.selectionSet),
    )
  );
}

function arePlainArguments({ variables }: Checking, field: GraphQLField<unknown, unknown>, node: FieldNode): boolean {
  const given = node.arguments ?? [];
  if (given.length === 0) return !field.args.some(isRequiredArgument);
  const names = new Set<string>();
  for (const { name, value } of given) {
    const argument = field.args.find((one) => one.name === name.value);
    if (argument === undefined || names.has(name.value)) return false;
    names.add(name.value);
    if (!isPlainLiteral(variables, argument.type, value, hasDefault(argument))) return false;
  }
  return field.args.every((argument) => names.has(argument.name) || !isRequiredArgument(argument));
}

const CONDITION = new GraphQLNonNull(GraphQLBoolean);

/** Whether the directives are `@skip` and `@include`, each at most once. */
function arePlainDirectives({ variables }: Checking, directives: readonly DirectiveNode[]): boolean {
  const names = new Set<string>();
  for (const { name, arguments: given = [] } of directives) {
    const [condition] = given;
    if ((name.value !== "skip" && name.value !== "include") || names.has(name.value)) return false;
    if (condition === undefined || given.length !== 1 || condition.name.value !== "if") return false;
    if (!isPlainLiteral(variables, CONDITION, condition.value)) return false;
    names.add(name.value);
  }
  return true;
}

/**
 * Whether two fields with the same response key have the same name, and the same arguments in the same order (§5.3.2).
 */
function isSameField(a: FieldNode, b: FieldNode): boolean {
  if (a === b) return true;
  const given = a.arguments ?? [];
  const other = b.arguments ?? [];
  if (a.name.value !== b.name.value || given.length !== other.length) return false;
  return given.every(({ name, value }, index) => {
    const one = other[index];
    return one !== undefined && one.name.value === name.value && isSameValue(value, one.value);
  });
}

function isSameValue(a: ValueNode, b: ValueNode): boolean {
  switch (a.kind) {
    case Kind.VARIABLE:
      return b.kind === Kind.VARIABLE && a.name.value === b.name.value;
    case Kind.NULL:
      return b.kind === Kind.NULL;
    case Kind.LIST:
    case Kind.OBJECT:
      return false;
    default:
      return a.kind === b.kind && "value" in b && a.value === b.value;
  }
}
