import type { Change } from "../operation/outcome.ts";
import type { RowPage, RowWriter } from "../operation/visible-rows.ts";
import { BifocalError } from "../errors/bifocal-error.ts";

/** Creates a plain object of decoded values: dates are `Date` objects, relations have their own names, lists are arrays. */
export const LOCAL_ROW: RowWriter<Record<string, unknown>> = {
  create: () => ({}),
  field: (row, name, value, resource) => {
    const codec = resource.fields.get(name)?.codec;
    row[name] = codec === undefined ? value : codec.toValue(value);
  },
  one: (row, { relation }, related) => {
    row[relation] = related;
  },
  many: (row, { relation, selection }, page) => {
    row[relation] = page.write(LOCAL_ROW, selection);
  },
};

export function toLocalPage(page: RowPage): object {
  const { length, hasNext, hasPrevious, total } = page;
  return {
    items: page.write(LOCAL_ROW),
    ...(total === undefined ? {} : { total }),
    hasNext,
    hasPrevious,
    startCursor: length === 0 ? null : page.cursor(0),
    endCursor: length === 0 ? null : page.cursor(length - 1),
  };
}

/** Returns the changes of a stream that is still opening. Ending the iteration ends the stream. */
export function localChanges(opening: Promise<AsyncIterableIterator<Change>>): AsyncIterableIterator<object> {
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
    const item = value.row.write(LOCAL_ROW);
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
