import type { Page, Row } from "../lens.ts";

/** Reads the position of a page from `Page-Info`. */
export function readPage(headers: Headers, items: readonly Row[]): Page {
  const info = headers.get("Page-Info") ?? "";
  const cursor = (name: string): string | null => new RegExp(`${name}="([^"]*)"`).exec(info)?.[1] ?? null;
  return {
    items,
    hasNext: info.includes("next=?1"),
    hasPrevious: info.includes("previous=?1"),
    startCursor: cursor("start"),
    endCursor: cursor("end"),
  };
}

/** Reads `Total-Count`: `10001;exact=?0` means at least 10,001 rows. */
export function readTotal(headers: Headers): { readonly total?: number; readonly totalIsExact?: boolean } {
  const total = headers.get("Total-Count");
  return total === null ? {} : { total: Number.parseInt(total, 10), totalIsExact: !total.includes("exact=?0") };
}
