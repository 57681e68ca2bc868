import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** Adds to the estimated size of a document, in bytes. Does not call `estimate` if the document is not cached. */
export type Grow = (estimate: () => number) => void;

type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

interface OperationSource {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
}

// Estimates: measured live heap of Node 24, rounded up.
const DOCUMENT = 4_096;
const TOKEN = 350;
const PLAN = 4_096;
const PLAN_FIELD = 400;
const SHAPE = 1_024;
const SHAPE_FIELD = 250;

/**
 * Estimates the size of a parsed document in bytes: its text, its tokens and its syntax tree, which has about as many
 * nodes as tokens.
 */
export function bytesOfDocument({ loc }: DocumentNode): number {
  let tokens = 0;
  for (let token = loc?.startToken; token; token = token.next ?? undefined) tokens++;
  return DOCUMENT + 2 * (loc?.source.body.length ?? 0) + TOKEN * tokens;
}

/** Estimates the size of one plan of an operation in bytes. */
export function bytesOfPlan({ operation, fragments }: OperationSource): number {
  return PLAN + PLAN_FIELD * countFields([operation.selectionSet], fragments);
}

/** Estimates the size of one lowered selection of a root field in bytes. */
export function bytesOfShape(nodes: readonly FieldNode[], fragments: Fragments): number {
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  return SHAPE + SHAPE_FIELD * countFields(sets, fragments);
}

/** Counts fields with fragments expanded, each fragment computed once. A valid document has no cycles. */
function countFields(sets: readonly SelectionSetNode[], fragments: Fragments): number {
  const known = new Map<string, number>();
  const count = ({ selections }: SelectionSetNode): number => {
    let fields = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) fields += countFragment(selection.name.value);
      else {
        if (selection.kind === Kind.FIELD) fields++;
        if (selection.selectionSet !== undefined) fields += count(selection.selectionSet);
      }
    }
    return fields;
  };
  const countFragment = (name: string): number => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const fragment = fragments[name];
    const fields = fragment === undefined ? 0 : count(fragment.selectionSet);
    known.set(name, fields);
    return fields;
  };
  return sets.reduce((sum, set) => sum + count(set), 0);
}
