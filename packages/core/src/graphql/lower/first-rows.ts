import type { Page } from "../../operation/page.ts";

/**
 * Returns the first rows of a page. A page from the end stays whole, because its first rows are known only when all of
 * them are.
 */
export function firstRows(page: Page, rows: number): Page {
  return rows >= page.size || page.fromEnd === true ? page : { ...page, size: rows };
}
