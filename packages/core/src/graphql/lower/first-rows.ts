import type { Page } from "../../operation/page.ts";

/** The first rows of a page; which those of a page from the end are is only known with all of them. */
export function firstRows(page: Page, rows: number): Page {
  return rows >= page.size || page.fromEnd === true ? page : { ...page, size: rows };
}
