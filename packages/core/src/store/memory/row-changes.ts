import type { ResourceModel, Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import { uniqueToken } from "./table.ts";
import { type Token, tokenReader } from "../../model/reference.ts";

/** The rows of one resource that a transaction has changed, indexed by key, by value and by unique group. */
export class RowChanges {
  /** `null` means that the row was deleted. */
  readonly #changes = new Map<Token, Row | null>();
  /** Built on first use. */
  readonly #indexes = new Map<string, ChangeIndex>();
  readonly #resource: ResourceModel;
  readonly #holders: readonly { readonly group: readonly string[]; readonly rows: Map<string, Row> }[];

  constructor(resource: ResourceModel) {
    this.#resource = resource;
    this.#holders = resource.unique.map((group) => ({ group, rows: new Map() }));
  }

  get size(): number {
    return this.#changes.size;
  }

  get(token: Token): Row | null | undefined {
    return this.#changes.get(token);
  }

  has(token: Token): boolean {
    return this.#changes.has(token);
  }

  tokens(): Iterable<Token> {
    return this.#changes.keys();
  }

  *rows(): Generator<Row> {
    for (const row of this.#changes.values()) if (row !== null) yield row;
  }

  set(token: Token, row: Row | null): void {
    const before = this.#changes.get(token);
    if (before !== undefined && before !== null) this.#forget(before);
    this.#changes.set(token, row);
    if (row === null) return;
    for (const index of this.#indexes.values()) addTo(index, row);
    for (const { group, rows } of this.#holders) {
      const value = uniqueToken(this.#resource, group, row);
      if (value !== undefined) rows.set(value, row);
    }
  }

  withValue(field: string, value: Json): Iterable<Row> {
    return this.#find(field, value, () => (row) => row[field] ?? null);
  }

  /** Returns the rows with a value in several fields, given as its token. */
  withValues(fields: readonly string[], token: Token): Iterable<Row> {
    const [only] = fields;
    if (only !== undefined && fields.length === 1) return this.withValue(only, token);
    return this.#find(fields.join(), token, () => tokenReader(fields));
  }

  #find(name: string, value: Json, createReader: () => ChangeIndex["valueOf"]): Iterable<Row> {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = { valueOf: createReader(), rows: new Map() };
      for (const row of this.rows()) addTo(index, row);
      this.#indexes.set(name, index);
    }
    return index.rows.get(value) ?? [];
  }

  /** Returns the row with a value of a unique group. */
  holderOf(group: readonly string[], value: string): Row | undefined {
    return this.#holders.find((one) => one.group === group)?.rows.get(value);
  }

  #forget(row: Row): void {
    for (const { valueOf, rows } of this.#indexes.values()) rows.get(valueOf(row))?.delete(row);
    for (const { group, rows } of this.#holders) {
      const value = uniqueToken(this.#resource, group, row);
      if (value !== undefined && rows.get(value) === row) rows.delete(value);
    }
  }
}

/** Changed rows by a value that is computed from each row. */
interface ChangeIndex {
  readonly valueOf: (row: Row) => Json;
  readonly rows: Map<Json, Set<Row>>;
}

function addTo({ valueOf, rows }: ChangeIndex, row: Row): void {
  const value = valueOf(row);
  const same = rows.get(value);
  if (same === undefined) rows.set(value, new Set([row]));
  else same.add(row);
}
