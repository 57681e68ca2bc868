import type { ResourceModel, Row } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import { uniqueToken } from "./table.ts";
import type { Token } from "../../model/reference.ts";
import { WideIndex } from "./wide-index.ts";

/** The rows of one resource that a transaction has changed, indexed by key, by value and by unique group. */
export class RowChanges {
  /** `null` means that the row was deleted. */
  readonly #changes = new Map<Token, Row | null>();
  /** Built on first use. */
  readonly #byValue = new Map<string, Map<Json, Set<Row>>>();
  readonly #wide = new Map<string, WideIndex>();
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
    for (const [field, values] of this.#byValue) addTo(values, row[field] ?? null, row);
    for (const index of this.#wide.values()) index.add(row);
    for (const { group, rows } of this.#holders) {
      const value = uniqueToken(this.#resource, group, row);
      if (value !== undefined) rows.set(value, row);
    }
  }

  withValue(field: string, value: Json): Iterable<Row> {
    let values = this.#byValue.get(field);
    if (values === undefined) {
      values = new Map();
      for (const row of this.rows()) addTo(values, row[field] ?? null, row);
      this.#byValue.set(field, values);
    }
    return values.get(value) ?? [];
  }

  /** Returns the rows with a value in several fields, given as its token. */
  withValues(fields: readonly string[], token: Token): Iterable<Row> {
    if (fields.length === 1) return this.withValue(fields[0] as string, token);
    const name = fields.join();
    let index = this.#wide.get(name);
    if (index === undefined) this.#wide.set(name, (index = new WideIndex(this.#resource, fields, this.rows())));
    return index.get(token)?.rows ?? [];
  }

  /** Returns the row with a value of a unique group. */
  holderOf(group: readonly string[], value: string): Row | undefined {
    return this.#holders.find((one) => one.group === group)?.rows.get(value);
  }

  #forget(row: Row): void {
    for (const [field, values] of this.#byValue) values.get(row[field] ?? null)?.delete(row);
    for (const index of this.#wide.values()) index.delete(row);
    for (const { group, rows } of this.#holders) {
      const value = uniqueToken(this.#resource, group, row);
      if (value !== undefined && rows.get(value) === row) rows.delete(value);
    }
  }
}

function addTo(values: Map<Json, Set<Row>>, value: Json, row: Row): void {
  const rows = values.get(value);
  if (rows === undefined) values.set(value, new Set([row]));
  else rows.add(row);
}
