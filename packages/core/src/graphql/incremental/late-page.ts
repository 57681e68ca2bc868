import type { Count } from "../../operation/count.ts";
import type { PageSummary } from "../../operation/visible-rows.ts";
import type { Node, NodePage } from "../node.ts";

/** Reads the rest of a page. */
export interface LateSource {
  /** The size of the whole page. */
  readonly size: number;
  /** Reads the rows after the first ones, and whether the page is followed by another one. */
  readonly readRest: () => Promise<NodePage>;
  readonly count: (count: Count) => Promise<Total>;
}

type Total = Pick<PageSummary, "total" | "totalIsExact">;

/** A page whose first rows are loaded. The rest is read on demand. */
export class LatePage implements NodePage {
  readonly #first: NodePage;
  readonly #source: LateSource;
  readonly #totals = new Map<Count, Promise<Total>>();
  #rest: Promise<NodePage> | undefined;

  constructor(first: NodePage, source: LateSource) {
    this.#first = first;
    this.#source = source;
  }

  get nodes(): readonly Node[] {
    return this.#first.nodes;
  }

  get length(): number {
    return this.#first.length;
  }

  get hasNext(): boolean {
    return this.#first.hasNext;
  }

  get hasPrevious(): boolean {
    return this.#first.hasPrevious;
  }

  cursor(index: number): string {
    return this.#first.cursor(index);
  }

  /** Whether all rows are loaded. */
  get isWhole(): boolean {
    return !this.#first.hasNext || this.#first.length >= this.#source.size;
  }

  /** Returns the page with all of its rows. */
  async whole(): Promise<NodePage> {
    if (this.isWhole) return this.#first;
    const first = this.#first;
    const rest = await this.rest();
    const start = first.length;
    return {
      nodes: [...first.nodes, ...rest.nodes],
      length: start + rest.length,
      hasNext: rest.hasNext,
      hasPrevious: first.hasPrevious,
      cursor: (index) => (index < start ? first.cursor(index) : rest.cursor(index - start)),
    };
  }

  /** Counts on first use. An exact count also serves later requests for a bounded one. */
  countAll(count: Count): Promise<Total> {
    if (this.#first.total !== undefined && (count === true || this.#first.totalIsExact === true)) {
      return Promise.resolve(this.#first);
    }
    const known = this.#totals.get("exact") ?? this.#totals.get(count) ?? this.#source.count(count);
    this.#totals.set(count, known);
    return known;
  }

  rest(): Promise<NodePage> {
    this.#rest ??= this.#source.readRest();
    return this.#rest;
  }
}

interface Edge {
  readonly page: NodePage;
  readonly index: number;
}

/** Returns the rows for graphql-js: those that are loaded, followed by the rest. */
export function nodesOf(page: NodePage): readonly Node[] | AsyncIterable<Node> {
  return page instanceof LatePage && !page.isWhole ? eachOf(page, (part) => part.nodes) : page.nodes;
}

export function edgesOf(page: NodePage): readonly Edge[] | AsyncIterable<Edge> {
  return page instanceof LatePage && !page.isWhole ? eachOf(page, toEdges) : toEdges(page);
}

function toEdges(page: NodePage): readonly Edge[] {
  return page.nodes.map((_, index) => ({ page, index }));
}

async function* eachOf<T>(page: LatePage, items: (page: NodePage) => readonly T[]): AsyncGenerator<T, void> {
  yield* items(page);
  yield* items(await page.rest());
}

/** Returns the page with all rows, synchronously if they are loaded. */
export function wholeOf(page: NodePage): NodePage | Promise<NodePage> {
  return page instanceof LatePage ? page.whole() : page;
}

/** Returns the total of a page, counted on first use. The lowered operation counts exactly if the document selects that. */
export function totalOf(page: NodePage, count: Count = true): Total | Promise<Total> {
  return page instanceof LatePage ? page.countAll(count) : page;
}
