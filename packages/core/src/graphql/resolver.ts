import { BREAK, type FieldNode, type FragmentDefinitionNode, type GraphQLResolveInfo, visit } from "graphql";
import { isBifocalError } from "../errors/bifocal-error.ts";
import type { NodePage } from "./node.ts";
import { contextOf } from "./context.ts";
import { toGraphQLError } from "./graphql-error.ts";
import { noteIdempotencyKey } from "./idempotent-run.ts";
import { type Arguments, readOutcome, registerRoot, type RootField } from "./root-field.ts";
import { type Document, documentOf } from "./lower/document.ts";

export type Resolver = (
  source: unknown,
  args: Arguments,
  contextValue: unknown,
  info: GraphQLResolveInfo,
) => Promise<unknown>;

/** Creates a resolver for graphql-js that lowers a root field to one operation and runs it. */
export function resolver<Selected>(field: RootField<Selected>): Resolver {
  const root = withKey(field);
  const selectionOf = rememberSelection(root.select);
  const resolve: Resolver = async (_source, args, contextValue, info) => {
    const { run, caller, outcomes, late } = contextOf(contextValue);
    try {
      const before = outcomes?.get(info.path.key);
      if (before !== undefined) return readOutcome(root as RootField, before, args);
      const selected = late === undefined ? selectionOf(info) : root.select(late.nodesOf(info), late.document);
      const operation = root.lower(args, selected);
      if (operation === undefined) return null;
      const value = readOutcome(root as RootField, await run(operation, caller), args);
      return late !== undefined && operation.kind === "list" && value !== null
        ? late.rootPage(value as NodePage, operation, args, info)
        : value;
    } catch (thrown) {
      throw isBifocalError(thrown) ? toGraphQLError(thrown) : thrown;
    }
  };
  registerRoot(resolve, root);
  return resolve;
}

/** Remembers the idempotency key of each lowered operation. Only mutation fields have the argument. */
function withKey<Selected>(root: RootField<Selected>): RootField<Selected> {
  return {
    ...root,
    lower: (args, selected) => {
      const operation = root.lower(args, selected);
      if (operation !== undefined) noteIdempotencyKey(operation, args["idempotencyKey"]);
      return operation;
    },
  };
}

type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/**
 * Caches the lowered selection of a root field unless it depends on variables, so that a document that runs again is
 * lowered only once. Documents are held weakly, because the server has its own document cache.
 */
function rememberSelection<T>(
  select: (nodes: readonly FieldNode[], document: Document) => T,
): (info: GraphQLResolveInfo) => T {
  const known = new WeakMap<FieldNode, { readonly lowered: T } | "depends">();
  const lower = (nodes: readonly FieldNode[], info: GraphQLResolveInfo): T => select(nodes, documentOf(info));
  return (info) => {
    const node = info.fieldNodes[0];
    // Merged fields may differ the next time, if a directive includes or skips one of them.
    if (node === undefined || info.fieldNodes.length > 1) return lower(info.fieldNodes, info);
    const before = known.get(node);
    if (before === "depends") return lower(info.fieldNodes, info);
    if (before !== undefined) return before.lowered;
    const lowered = lower(info.fieldNodes, info);
    known.set(node, usesVariables(node, info.fragments) ? "depends" : { lowered });
    return lowered;
  };
}

function usesVariables(root: FieldNode, fragments: Fragments): boolean {
  const seen = new Set<string>();
  let found = false;
  const search = (node: FieldNode["selectionSet"]): void => {
    if (node === undefined || found) return;
    visit(node, {
      Variable: () => {
        found = true;
        return BREAK;
      },
      FragmentSpread: ({ name }) => {
        if (seen.has(name.value)) return;
        seen.add(name.value);
        search(fragments[name.value]?.selectionSet);
      },
    });
  };
  search(root.selectionSet);
  return found;
}
