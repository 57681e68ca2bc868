import type { Node } from "../../operation/outcome.ts";

/** A page that was answered before: its bytes and its tag, and the links that it had last. */
export interface KeptPage {
  readonly nodes: readonly Node[];
  readonly body: Uint8Array;
  readonly tag: string;
  link?: { readonly key: string; readonly header: string };
}

const MOST = 256;
const LARGEST = 65_536;

/** By their first row: rows that are frozen are the same rows for ever, so the same rows are the same page. */
const KEPT = new WeakMap<Node, KeptPage>();
/** What was kept, the oldest first, so that it stays little. */
const firsts: WeakRef<Node>[] = [];

/** The page of just these rows, in their order. */
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
  if (first === undefined || page.body.byteLength > LARGEST) return page;
  if (!KEPT.has(first)) {
    firsts.push(new WeakRef(first));
    if (firsts.length > MOST) {
      const oldest = firsts.shift()?.deref();
      if (oldest !== undefined) KEPT.delete(oldest);
    }
  }
  KEPT.set(first, page);
  return page;
}
