import { BifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../limits/limits.ts";
import { lowerFilter, type LoweringTarget } from "../lowering/lower-filter.ts";
import type { Key } from "../model/model.ts";
import type { ChangeKind, Selected, WatchOperation } from "../operation/operation.ts";
import type { Change, Outcome } from "../operation/outcome.ts";
import type { ReadableRow } from "../operation/visible-rows.ts";

/** Lowers the query of a local watch. */
export function lowerLocalWatch(
  target: LoweringTarget,
  query: Readonly<Record<string, unknown>>,
  selected: Selected,
  key: Key | undefined,
  limits: Limits,
): WatchOperation {
  const filter = lowerFilter(target, query["filter"], { form: "value", limits, path: ["filter"] });
  const after = query["after"] as string | undefined;
  return {
    kind: "watch",
    resource: target.resource.name,
    on: (query["on"] as readonly ChangeKind[] | undefined) ?? ["created", "updated", "deleted"],
    ...(key === undefined ? {} : { key }),
    ...(filter === undefined ? {} : { filter }),
    ...(after === undefined ? {} : { after }),
    ...(query["initial"] === true ? { initial: true as const } : {}),
    ...selected,
  };
}

/** Returns the changes of a stream that is still opening, with their rows as items. Ending the iteration ends the stream. */
export function localChanges(
  asked: Promise<Exclude<Outcome, { kind: "failure" }>>,
  toItem: (row: ReadableRow) => object,
): AsyncIterableIterator<object> {
  const opening = openStream(asked);
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
    const item = toItem(value.row);
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

async function openStream(asked: Promise<Outcome>): Promise<AsyncIterableIterator<Change>> {
  const opened = await asked;
  if (opened.kind !== "stream") throw new Error("A watch operation returned an unexpected outcome.");
  return opened.changes;
}
