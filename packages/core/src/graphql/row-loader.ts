import type { FieldNode, GraphQLResolveInfo } from "graphql";
import type { Key, ResourceModel, Row } from "../model/model.ts";
import { keyOf, keyToken } from "../operation/key.ts";
import { keysFilter } from "../operation/keys-filter.ts";
import type { Node } from "../operation/outcome.ts";
import type { Selection } from "../operation/selection.ts";
import type { ExecutionContext } from "./context.ts";
import { documentOf } from "./lower/document.ts";
import { lowerSelection } from "./lower/lower-selection.ts";
import type { Target } from "./lower/target.ts";
import { unexpected } from "./root-field.ts";

/** Keys that wait to be read together. */
interface Batch {
  readonly keys: Map<string, Key>;
  readonly found: Promise<ReadonlyMap<string, Node>>;
}

const CHUNK = 1_000;

/** Reads one row as the caller, with all that the field selects; null where there is none that the caller may see. */
export type LoadRow = (context: ExecutionContext, info: GraphQLResolveInfo, key: Key) => Promise<Node | null>;

/** Rows of one resource. What the same field asks for in one turn, however many rows it stands in, is one list. */
export function createRowLoader(target: Target): LoadRow {
  const waiting = new WeakMap<ExecutionContext, Map<FieldNode, Batch>>();

  return async (context, info, key) => {
    const node = info.fieldNodes[0] as FieldNode;
    let batches = waiting.get(context);
    if (batches === undefined) waiting.set(context, (batches = new Map()));
    let batch = batches.get(node);
    if (batch === undefined) {
      const keys = new Map<string, Key>();
      const found = afterThisTurn().then(() => {
        batches.delete(node);
        return readRows(target, context, selectionWithKey(target, info), [...keys.values()]);
      });
      batch = { keys, found };
      batches.set(node, batch);
    }
    const token = keyToken(key);
    batch.keys.set(token, key);
    return (await batch.found).get(token) ?? null;
  };
}

/** Once every resolver that can go on has done so. */
function afterThisTurn(): Promise<void> {
  return new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));
}

function selectionWithKey(target: Target, info: GraphQLResolveInfo): Selection {
  const { fields, relations } = lowerSelection(target, info.fieldNodes, documentOf(info));
  return { fields: withKey(target.resource, fields), relations };
}

function withKey({ key, visibleFields }: ResourceModel, fields: readonly string[]): readonly string[] {
  const wanted = new Set([...fields, ...key]);
  return wanted.size === fields.length
    ? fields
    : visibleFields.map(({ name }) => name).filter((name) => wanted.has(name));
}

/** Rows by their keys, as one list for each thousand of them. */
async function readRows(
  { resource }: Target,
  { run, caller }: ExecutionContext,
  selection: Selection,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, Node>> {
  const found = new Map<string, Node>();
  for (let start = 0; start < keys.length; start += CHUNK) {
    const chunk = keys.slice(start, start + CHUNK);
    const outcome = await run(
      {
        kind: "list",
        resource: resource.name,
        filter: keysFilter(resource, chunk),
        sort: [],
        page: { size: chunk.length },
        selection,
      },
      caller,
    );
    if (outcome.kind === "failure") throw outcome.error;
    if (outcome.kind !== "page") return unexpected(outcome);
    for (const node of outcome.page.nodes) found.set(keyToken(keyOf(resource, node as Row)), node);
  }
  return found;
}
