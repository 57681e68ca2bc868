import {
  allNow,
  type InsertCommand,
  type KeysQuery,
  type LinkCommand,
  type ListQuery,
  type MaybePromise,
  type PerParentQuery,
  type RemoveCommand,
  type RemoveResult,
  type Row,
  rowVersion,
  type StoreContext,
  type StorePage,
  type TextPage,
  type TextQuery,
  thenNow,
  type UpdateCommand,
  type WriteResult,
} from "@bifocal/core/store";
import type { Answer, Connection } from "./database.ts";
import type { Opened } from "./opened.ts";
import { run } from "./run.ts";
import { recording } from "./explain/recording.ts";
import { insertRows } from "./insert-rows.ts";
import { linkShape, planLink, planUnlink } from "./statement/link.ts";
import type { Plan } from "./statement/plan.ts";
import { keysShape, planKeys, possibleKeys } from "./statement/read-keys.ts";
import { countShape, listShape, planCount, planList } from "./statement/read-list.ts";
import { countPerShape, perParentShape, planCountPer, planPerParent } from "./statement/read-per-parent.ts";
import { canMakeTexts, planTexts, textsShape } from "./statement/read-texts.ts";
import type { Shape } from "./statement/shape.ts";
import {
  beforeShape,
  planBefore,
  planRemove,
  planUpdate,
  removeShape,
  type Target,
  updateShape,
} from "./statement/write.ts";

/** The commands of a store on one connection, or on whichever is free. */
export class Operations {
  readonly #opened: Opened;
  readonly #connection: Connection;
  /** What was read is kept as it is until the end of the transaction, where there is one. */
  readonly #isWithin: boolean;

  constructor(opened: Opened, connection: Connection, isWithin: boolean) {
    this.#opened = opened;
    this.#connection = connection;
    this.#isWithin = isWithin;
  }

  byKeys(query: KeysQuery, context: StoreContext): MaybePromise<readonly Row[]> {
    const { dialect, tables } = this.#opened;
    const keys = possibleKeys(tables.of(query.resource.name), query.keys);
    if (keys.length === 0) return [];
    const lock = this.#isWithin ? dialect.forShare : undefined;
    const possible = { ...query, keys };
    const shape = keysShape(dialect, possible, lock === undefined ? "" : " locked");
    return this.#ask(
      shape,
      () => planKeys(dialect, tables, possible, lock),
      query.resource.name,
      context,
      (read, { rows }) => read(rows),
    );
  }

  list(query: ListQuery, context: StoreContext): MaybePromise<StorePage> {
    const { dialect, tables } = this.#opened;
    const name = query.resource.name;
    const page = this.#ask(
      listShape(dialect, "list", query),
      () => planList(dialect, tables, query),
      name,
      context,
      (read, { rows }) => read(rows, query),
    );
    if (query.count !== true) return page;
    const counting = (): MaybePromise<number> =>
      this.#ask(
        countShape(dialect, query),
        () => planCount(dialect, tables, query),
        name,
        context,
        (read, { rows }) => read(rows),
      );
    // A connection does one thing at a time.
    const both = this.#isWithin
      ? thenNow(page, (read) => thenNow(counting(), (total) => [read, total] as const))
      : thenNow(
          allNow<StorePage | number>([page, counting()]),
          ([read, total]) => [read as StorePage, total as number] as const,
        );
    return thenNow(both, ([read, total]) => ({ ...read, total }));
  }

  listPer(query: PerParentQuery, context: StoreContext): MaybePromise<readonly StorePage[]> {
    const { dialect, tables } = this.#opened;
    const name = query.relation.target;
    const pages = this.#ask(
      perParentShape(dialect, query),
      () => planPerParent(dialect, tables, query),
      name,
      context,
      (read, { rows }) => read(rows, query),
    );
    if (query.count !== true) return pages;
    return thenNow(pages, (read) => {
      const counting = this.#ask(
        countPerShape(dialect, query),
        () => planCountPer(dialect, tables, query),
        name,
        context,
        (readCounts, { rows }) => readCounts(rows),
      );
      return thenNow(counting, (totals) =>
        read.map((page, at) => ({ ...page, total: totals.get(query.parents[at] ?? null) ?? 0 })),
      );
    });
  }

  /** `undefined` where the plan of one statement does not suit. */
  listTexts(query: TextQuery, context: StoreContext): MaybePromise<TextPage | undefined> {
    const { dialect, tables, choice } = this.#opened;
    recording()?.choices.push(choice.explain(query));
    if (!choice.prefersOne(query) || !canMakeTexts(dialect, tables, query)) return undefined;
    return this.#ask(
      textsShape(dialect, query),
      () => planTexts(dialect, tables, query),
      query.resource.name,
      context,
      (read, { rows }) => read(rows, query),
    );
  }

  insert(command: InsertCommand, context: StoreContext): MaybePromise<readonly Row[]> {
    return insertRows(this.#opened, this.#connection, command, context);
  }

  /** Within a transaction: the row is looked at, and kept, before it is written. */
  async update(command: UpdateCommand, context: StoreContext): Promise<WriteResult> {
    const { dialect, tables } = this.#opened;
    const { resource, key, set, ifMatch } = command;
    const found = await this.#before(command, context);
    if (found === undefined) return { kind: "absent" };
    const { row: before, passes } = found;
    if (ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(rowVersion(resource, before)))
      return { kind: "stale" };
    if (!passes) return { kind: "refused" };
    if (Object.keys(set).length === 0) return { kind: "done", before, after: before };
    const shape = updateShape(dialect, { resource, key, set });
    const [written] = await this.#ask(
      shape,
      () => planUpdate(dialect, tables, { resource, set }),
      resource.name,
      context,
      (read, { rows }) => read(rows),
      [set],
    );
    const after = written ?? (await this.byKeys({ resource, keys: [keyAfter(command)] }, context))[0];
    if (after === undefined) throw new Error(`'${resource.name}' was written and could not be read again.`);
    return { kind: "done", before, after };
  }

  async remove(command: RemoveCommand, context: StoreContext): Promise<RemoveResult> {
    const { dialect, tables } = this.#opened;
    const { resource, key, ifMatch } = command;
    const found = await this.#before(command, context);
    if (found === undefined) return { kind: "absent" };
    const { row: before } = found;
    if (ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(rowVersion(resource, before)))
      return { kind: "stale" };
    await this.#ask(
      removeShape(dialect, resource, key),
      () => planRemove(dialect, tables, resource),
      resource.name,
      context,
      () => undefined,
    );
    return { kind: "done", before };
  }

  link(command: LinkCommand, context: StoreContext): MaybePromise<boolean> {
    const { dialect, tables } = this.#opened;
    const { relation } = command;
    const plan = (): Plan<undefined> => planLink(dialect, tables, relation);
    return this.#ask(
      linkShape(dialect, "link", command),
      plan,
      relation.source,
      context,
      (_, { affected }) => affected === 1,
    );
  }

  unlink(command: LinkCommand, context: StoreContext): MaybePromise<boolean> {
    const { dialect, tables } = this.#opened;
    const { relation } = command;
    const plan = (): Plan<undefined> => planUnlink(dialect, tables, relation);
    return this.#ask(
      linkShape(dialect, "unlink", command),
      plan,
      relation.source,
      context,
      (_, { affected }) => affected > 0,
    );
  }

  #before(target: Target, context: StoreContext) {
    const { dialect, tables } = this.#opened;
    const table = tables.of(target.resource.name);
    if (possibleKeys(table, [target.key]).length === 0) return undefined;
    return this.#ask(
      beforeShape(dialect, target),
      () => planBefore(dialect, tables, target),
      target.resource.name,
      context,
      (read, { rows }) => read(rows),
    );
  }

  #ask<Read, T>(
    shape: Shape,
    plan: () => Plan<Read>,
    resource: string,
    context: StoreContext,
    then: (read: Read, answer: Answer) => T,
    rows: readonly Row[] = [],
  ): MaybePromise<T> {
    const { dialect, tables, statements } = this.#opened;
    const prepared = statements.get(shape, plan);
    const answer = run(dialect, this.#connection, prepared, shape, { table: tables.of(resource), context, rows });
    return thenNow(answer, (found) => then(prepared.read, found));
  }
}

/** The key of the row once it is written. */
function keyAfter({ resource, key, set }: UpdateCommand): KeysQuery["keys"][number] {
  const parts = resource.key.map(
    (name, at) => (set[name] ?? (typeof key === "object" ? key[at] : key)) as string | number,
  );
  return parts.length === 1 ? (parts[0] as string | number) : parts;
}
