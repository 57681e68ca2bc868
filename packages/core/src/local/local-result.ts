import type { Model, RelationModel, ResourceModel } from "../model/model.ts";
import type { Change, Node, PageNode } from "../operation/outcome.ts";
import type { Selection } from "../operation/selection.ts";
import { BifocalError } from "../errors/bifocal-error.ts";

/**
 * Converts a node to a plain object of decoded values: dates are `Date` objects, relations have their own names, and
 * lists are arrays.
 */
export function toLocalRow(model: Model, resource: ResourceModel, selection: Selection, node: Node): object {
  const row: Record<string, unknown> = {};
  for (const name of selection.fields) {
    const value = node[name];
    if (value === undefined) continue;
    const codec = resource.fields.get(name)?.codec;
    row[name] = codec === undefined ? value : codec.toValue(value as never);
  }
  for (const { relation, as, selection: inner } of selection.relations) {
    const value = node[as];
    if (value === undefined) continue;
    const { target, many } = resource.relations.get(relation) as RelationModel;
    const related = model.resources.get(target) as ResourceModel;
    const toRow = (one: Node): object => toLocalRow(model, related, inner, one);
    if (many) row[relation] = (value as PageNode).nodes.map(toRow);
    else row[relation] = value === null ? null : toRow(value as Node);
  }
  return row;
}

export function toLocalPage(model: Model, resource: ResourceModel, selection: Selection, page: PageNode): object {
  const { nodes, hasNext, hasPrevious, total } = page;
  return {
    items: nodes.map((node) => toLocalRow(model, resource, selection, node)),
    ...(total === undefined ? {} : { total }),
    hasNext,
    hasPrevious,
    startCursor: nodes.length === 0 ? null : page.cursor(0),
    endCursor: nodes.length === 0 ? null : page.cursor(nodes.length - 1),
  };
}

/** Returns the changes of a stream that is still opening. Ending the iteration ends the stream. */
export function localChanges(
  opening: Promise<AsyncIterableIterator<Change>>,
  toRow: (node: Node) => object,
): AsyncIterableIterator<object> {
  // A caller that never reads must not crash the process with an unhandled rejection.
  opening.catch(() => {});
  async function read(): Promise<IteratorResult<object, undefined>> {
    let { done, value } = await (await opening).next();
    // Rows that leave the view are skipped: local code can read them again if it needs to.
    while (value?.kind === "left") ({ done, value } = await (await opening).next());
    if (done === true || value === undefined) return { done: true, value: undefined };
    if (value.kind === "reset") {
      throw new BifocalError("UNAVAILABLE", "Changes were missed. Read the rows again, then start a new watch.");
    }
    const item = toRow(value.node);
    if (value.kind === "current") return { done: false, value: { kind: value.kind, item } };
    return { done: false, value: { id: value.id, kind: value.kind, item } };
  }
  let last: Promise<IteratorResult<object, undefined>> | undefined;

  return {
    /** Can be called again before the previous call has resolved. The results arrive in order. */
    next() {
      last = last === undefined ? read() : last.then(read, read);
      return last;
    },
    async return() {
      await (await opening).return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
