import type { GroupPage, PageSummary, RowPage, RowWriter, ReadableRow } from "../operation/visible-rows.ts";
import type { Json } from "../util/json.ts";

/**
 * A row for graphql-js: the selected fields, then a `Node`, `null` or `NodePage` for each selected relation under its
 * `as`. A selected name with the value `undefined` was denied. Never mutated; it may be the store's own row.
 */
export interface Node {
  readonly [name: string]: Json | Node | NodePage | GroupPage | undefined;
}

export interface NodePage extends PageSummary {
  readonly nodes: readonly Node[];
}

export const EMPTY_PAGE: NodePage = Object.freeze({
  nodes: [],
  length: 0,
  hasNext: false,
  hasPrevious: false,
  total: 0,
  totalIsExact: true,
  cursor: () => "",
});

const NODE: RowWriter<Record<string, Node[string]>> = {
  reuse: (row) => row,
  create: () => ({}),
  field: (node, name, value) => {
    node[name] = value;
  },
  one: (node, { as }, related) => {
    node[as] = related;
  },
  many: (node, { as }, page) => {
    node[as] = toNodePage(page);
  },
  groups: (node, { as }, page) => {
    node[as] = page;
  },
  denied: (node, name) => {
    node[name] = undefined;
  },
};

export function toNode(row: ReadableRow): Node {
  return row.write(NODE);
}

export function toNodes(page: RowPage): readonly Node[] {
  return page.write(NODE);
}

export function toNodePage(page: RowPage): NodePage {
  return new LazyPage(page);
}

/** Builds its nodes on first use. */
class LazyPage implements NodePage {
  readonly #page: RowPage;
  #nodes: readonly Node[] | undefined;

  constructor(page: RowPage) {
    this.#page = page;
  }

  get nodes(): readonly Node[] {
    this.#nodes ??= toNodes(this.#page);
    return this.#nodes;
  }

  get length(): number {
    return this.#page.length;
  }

  get hasNext(): boolean {
    return this.#page.hasNext;
  }

  get hasPrevious(): boolean {
    return this.#page.hasPrevious;
  }

  get total(): number | undefined {
    return this.#page.total;
  }

  get totalIsExact(): boolean | undefined {
    return this.#page.totalIsExact;
  }

  cursor(index: number): string {
    return this.#page.cursor(index);
  }
}
