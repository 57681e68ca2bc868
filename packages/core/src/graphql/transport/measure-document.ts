import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import type { GraphqlLimits, Limits } from "../../limits/limits.ts";
import { isIncremental } from "../incremental/directives.ts";
import { countComparisons } from "./count-comparisons.ts";

/** The size of a selection set with its fragments expanded. */
interface Size {
  fields: number;
  depth: number;
  aliases: number;
  /** Fields of the selection set itself, without those beneath them. */
  rootFields: number;
  directives: number;
  /** Parts that are deferred or streamed. */
  parts: number;
}

/**
 * Rejects a document that is too large to validate or execute. It looks only at the syntax, without a schema. Each
 * fragment is measured once, however often it is spread, so that the check takes time linear in the length of the
 * document. Returns at most one error per limit, with code BAD_REQUEST, for the first operation that exceeds a limit.
 */
export function measureDocument(document: DocumentNode, limits: Limits): readonly GraphQLError[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const sizes = new Map<string, Size>();
  let nodes = 0;
  let isTooDeep = false;

  function add(size: Size, selectionSet: SelectionSetNode, depth: number): void {
    for (const selection of selectionSet.selections) {
      const { directives = [] } = selection;
      size.directives += directives.length;
      for (const directive of directives) if (isIncremental(directive)) size.parts++;
      if (selection.kind === Kind.FIELD) {
        nodes++;
        size.fields++;
        if (depth === 1) size.rootFields++;
        if (selection.alias !== undefined) size.aliases++;
        if (depth > size.depth) size.depth = depth;
        for (const { value } of selection.arguments ?? []) isTooDeep ||= nestsBeyond(value, limits.http.jsonDepth);
        if (selection.selectionSet !== undefined) add(size, selection.selectionSet, depth + 1);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        add(size, selection.selectionSet, depth);
      } else {
        addFragment(size, selection.name.value, depth);
      }
    }
  }

  function addFragment(size: Size, name: string, depth: number): void {
    const inner = sizeOf(name);
    size.fields += inner.fields;
    size.aliases += inner.aliases;
    size.directives += inner.directives;
    size.parts += inner.parts;
    if (depth === 1) size.rootFields += inner.rootFields;
    if (inner.depth > 0) size.depth = Math.max(size.depth, depth - 1 + inner.depth);
  }

  function sizeOf(name: string): Size {
    const before = sizes.get(name);
    if (before !== undefined) return before;
    const size = empty();
    // Set before measuring, so that a fragment that contains itself does not recurse forever. Validation rejects such
    // fragments.
    sizes.set(name, size);
    const fragment = fragments.get(name);
    if (fragment === undefined) return size;
    size.directives = fragment.directives?.length ?? 0;
    add(size, fragment.selectionSet, 1);
    return size;
  }

  let fields = 0;
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = empty();
    size.directives = directivesOf(node);
    for (const { defaultValue } of node.variableDefinitions ?? [])
      isTooDeep ||= nestsBeyond(defaultValue, limits.http.jsonDepth);
    add(size, node.selectionSet, 1);
    fields += size.fields;
    const errors = excesses(size, limits, node);
    if (errors.length > 0) return errors;
  }
  // Each operation is validated with the fragments that it spreads.
  if (fields > limits.graphql.fields) {
    const all = `The operations of a document can select at most ${limits.graphql.fields} fields in total, including fragments.`;
    return [tooLarge("graphql.fields", "too_many", all, undefined)];
  }
  // Validation also covers fragments that no operation spreads.
  for (const name of fragments.keys()) sizeOf(name);
  if (isTooDeep) {
    return [
      tooLarge(
        "http.jsonDepth",
        "too_deep",
        `A value can be nested at most ${limits.http.jsonDepth} levels deep.`,
        undefined,
      ),
    ];
  }
  const { fieldPairs } = limits.graphql;
  // With so few fields, the limit cannot be exceeded, so counting is unnecessary.
  if ((nodes * nodes) / 2 <= fieldPairs) return [];
  if (countComparisons(document, fragments, fieldPairs) <= fieldPairs) return [];
  const message = `The document is too complex: it needs more than ${fieldPairs} comparisons of fields with the same response name.`;
  return [tooLarge("graphql.fieldPairs", "too_many", message, undefined)];
}

function empty(): Size {
  return { fields: 0, depth: 0, aliases: 0, rootFields: 0, directives: 0, parts: 0 };
}

function directivesOf({ directives = [], variableDefinitions = [] }: OperationDefinitionNode): number {
  return variableDefinitions.reduce((sum, { directives: own = [] }) => sum + own.length, directives.length);
}

function excesses(size: Size, limits: Limits, node: OperationDefinitionNode): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const check = (found: number, limit: keyof GraphqlLimits, what: string, code = "too_many"): void => {
    const max = limits.graphql[limit];
    if (found <= max) return;
    errors.push(tooLarge(`graphql.${limit}`, code, `An operation can ${what.replace("#", String(max))}.`, node));
  };
  check(size.depth, "depth", "nest fields at most # levels deep", "too_deep");
  check(size.rootFields, "rootFields", "have at most # root fields, including fragments");
  check(size.aliases, "aliases", "have at most # aliases, including fragments");
  check(size.directives, "directives", "have at most # directives, including fragments");
  check(size.parts, "incrementalParts", "defer or stream at most # parts, including fragments");
  check(size.fields, "fields", "select at most # fields, including fragments");
  return errors;
}

/** Adds the name of the limit to the error, for the person who configures it. */
function tooLarge(
  limit: `graphql.${keyof GraphqlLimits}` | "http.jsonDepth",
  code: string,
  message: string,
  node: OperationDefinitionNode | undefined,
): GraphQLError {
  const extensions = { code: "BAD_REQUEST", limit, errors: [{ path: [], message, code }] };
  return new GraphQLError(message, { nodes: node, extensions });
}

/** Whether a literal is nested deeper than `levels` lists and objects. */
function nestsBeyond(value: ValueNode | undefined, levels: number): boolean {
  if (value === undefined) return false;
  if (value.kind === Kind.LIST) return levels === 0 || value.values.some((one) => nestsBeyond(one, levels - 1));
  if (value.kind !== Kind.OBJECT) return false;
  return levels === 0 || value.fields.some((field) => nestsBeyond(field.value, levels - 1));
}
