import type { Node, PageNode } from "../../operation/outcome.ts";

/** Reads the rest of a page. */
export interface LateSource {
  /** The size of the whole page. */
  readonly size: number;
  /** Reads the rows after the first ones, and whether the page is followed by another one. */
  readonly readRest: () => Promise<PageNode>;
  readonly count: () => Promise<number | undefined>;
}

/** A page whose first rows are loaded. The rest is read on demand. */
export class LatePage implements PageNode {
  readonly #first: PageNode;
  readonly #source: LateSource;
  #rest: Promise<PageNode> | undefined;

  constructor(first: PageNode, source: LateSource) {
    this.#first = first;
    this.#source = source;
  }

  get nodes(): readonly Node[] {
    return this.#first.nodes;
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
    return !this.#first.hasNext || this.#first.nodes.length >= this.#source.size;
  }

  /** Returns the page with all of its rows. */
  async whole(): Promise<PageNode> {
    if (this.isWhole) return this.#first;
    const first = this.#first;
    const rest = await this.rest();
    const start = first.nodes.length;
    return {
      nodes: [...first.nodes, ...rest.nodes],
      hasNext: rest.hasNext,
      hasPrevious: first.hasPrevious,
      cursor: (index) => (index < start ? first.cursor(index) : rest.cursor(index - start)),
    };
  }

  async countAll(): Promise<number | undefined> {
    return this.#first.total ?? this.#source.count();
  }

  rest(): Promise<PageNode> {
    this.#rest ??= this.#source.readRest();
    return this.#rest;
  }
}

interface Edge {
  readonly page: PageNode;
  readonly index: number;
}

/** Returns the rows for graphql-js: those that are loaded, followed by the rest. */
export function nodesOf(page: PageNode): readonly Node[] | AsyncIterable<Node> {
  return page instanceof LatePage && !page.isWhole ? eachOf(page, (part) => part.nodes) : page.nodes;
}

export function edgesOf(page: PageNode): readonly Edge[] | AsyncIterable<Edge> {
  return page instanceof LatePage && !page.isWhole ? eachOf(page, toEdges) : toEdges(page);
}

function toEdges(page: PageNode): readonly Edge[] {
  return page.nodes.map((_, index) => ({ page, index }));
}

async function* eachOf<T>(page: LatePage, items: (page: PageNode) => readonly T[]): AsyncGenerator<T, void> {
  yield* items(page);
  yield* items(await page.rest());
}

/** Returns the page with all rows, synchronously if they are loaded. */
export function wholeOf(page: PageNode): PageNode | Promise<PageNode> {
  return page instanceof LatePage ? page.whole() : page;
}

export function totalOf(page: PageNode): number | undefined | Promise<number | undefined> {
  return page instanceof LatePage ? page.countAll() : page.total;
}
