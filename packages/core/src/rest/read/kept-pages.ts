import type { Representation } from "../response/representation.ts";

/** A cached page with its body, its entity tag and its last links. */
export interface KeptPage {
  readonly rows: readonly Representation[];
  readonly body: Uint8Array;
  readonly tag: string;
  link?: { readonly key: string; readonly header: string };
}

const MAX_PAGES = 256;
const MAX_BYTES = 65_536;

/** By their first row. Frozen rows never change, so the same row objects result in the same page. */
const KEPT = new WeakMap<Representation, KeptPage>();
/** The first rows of cached pages, oldest first, to limit their number. */
const firsts: WeakRef<Representation>[] = [];

/** Returns the cached page with exactly these rows in this order. */
export function keptPage(rows: readonly Representation[]): KeptPage | undefined {
  const [first] = rows;
  const kept = first === undefined ? undefined : KEPT.get(first);
  if (kept === undefined || kept.rows.length !== rows.length) return undefined;
  for (let index = rows.length - 1; index > 0; index--) if (kept.rows[index] !== rows[index]) return undefined;
  return kept;
}

export function keepPage(rows: readonly Representation[], text: string, tag: string): KeptPage {
  const page = { rows, body: Buffer.from(text), tag };
  const [first] = rows;
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
