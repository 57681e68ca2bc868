import type { Node } from "../../operation/outcome.ts";

/** A cached page with its body, its entity tag and its last links. */
export interface KeptPage {
  readonly nodes: readonly Node[];
  readonly body: Uint8Array;
  readonly tag: string;
  link?: { readonly key: string; readonly header: string };
}

const MAX_PAGES = 256;
const MAX_BYTES = 65_536;

/** By their first row. Frozen rows never change, so the same row objects result in the same page. */
const KEPT = new WeakMap<Node, KeptPage>();
/** The first rows of cached pages, oldest first, to limit their number. */
const firsts: WeakRef<Node>[] = [];

/** Returns the cached page with exactly these rows in this order. */
export function keptPage(nodes: readonly Node[]): KeptPage | undefined {
  const [first] = nodes;
  const kept = first === undefined ? undefined : KEPT.get(first);
  if (kept === undefined || kept.nodes.length !== nodes.length) return undefined;
  for (let index = nodes.length - 1; index > 0; index--) if (kept.nodes[index] !== nodes[index]) return undefined;
  return kept;
}

export function keepPage(nodes: readonly Node[], text: string, tag: string): KeptPage {
  const page = { nodes, body: Buffer.from(text), tag };
  const [first] = nodes;
  if (first === undefined || page.body.byteLength > MAX_BYTES) return page;
  if (!KEPT.has(first)) {
    firsts.push(new WeakRef(first));
    if (firsts.length > MAX_PAGES) {
      const oldest = firsts.shift()?.deref();
      if (oldest !== undefined) KEPT.delete(oldest);
    }
  }
  KEPT.set(first, page);
  return page;
}
