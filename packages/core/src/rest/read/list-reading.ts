import type { Page } from "../../operation/page.ts";
import type { RowPage } from "../../operation/visible-rows.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { ResponseShape } from "../request/lower-shape.ts";

/** A list that can be read page by page. */
export interface ListReading {
  readonly shape: ResponseShape;
  readonly page: Page;
  /** True if the request has page parameters. */
  readonly isPaged: boolean;
  /** True if the list isn't the collection itself, but a relation of one row or the rows of a query. */
  readonly isNested?: boolean;
  readonly read: (page: Page) => MaybePromise<ListAnswer>;
  /** The cost of a page without its rows. */
  readonly emptyCost: () => number;
}

/** A whole list is counted once, when its first batch is read. */
export function countsAt(page: Page, isPaged: boolean): boolean {
  return isPaged || page.after === undefined;
}

export interface ListAnswer {
  readonly page: RowPage;
  readonly personal: boolean;
}
