import type { BulkOptions, DeleteOptions, ListOptions, LocalPage, WriteOptions } from "./local-query.ts";

type Row = Record<string, unknown>;
type Input = Readonly<Record<string, unknown>>;
type Selecting = WriteOptions<Input>;

/** The calls of a resource that is only known by its name. */
export interface UntypedCalls {
  list(query?: ListOptions<Input, string, Input>): Promise<LocalPage<Row>>;
  /** Returns `null` if there is no such row or if it is hidden from the caller. */
  get(id: unknown, options?: Selecting): Promise<Row | null>;
  /** Like `replace` and `update`, returns `null` if the row was written and the caller can't read it. */
  create(data: Input, options?: Selecting): Promise<Row | null>;
  replace(id: unknown, data: Input, options?: Selecting): Promise<Row | null>;
  update(id: unknown, changes: Input, options?: Selecting): Promise<Row | null>;
  delete(id: unknown, options?: DeleteOptions): Promise<void>;
  createMany(data: readonly Input[], options?: Selecting): Promise<(Row | null)[]>;
  updateMany(filter: Input, changes: Input, options?: BulkOptions): Promise<unknown[]>;
  deleteMany(filter: Input, options?: BulkOptions): Promise<unknown[]>;
  link(id: unknown, relation: string, targetId: unknown): Promise<void>;
  unlink(id: unknown, relation: string, targetId: unknown): Promise<void>;
  readonly actions: Readonly<Record<string, (...input: unknown[]) => Promise<unknown>>>;
  readonly queries: Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;
}
