import type { PageSummary } from "../../operation/visible-rows.ts";
import type { Preferences } from "../request/negotiate.ts";

/**
 * Returns `Page-Info`, a structured field (RFC 9651 §3.2), to clients that send `Prefer: page-info`. Unlike links, it has
 * the cursors of the first and last row of every page.
 */
export function pageInfoHeader({ pageInfo }: Preferences, page: PageSummary): Record<string, string> {
  if (pageInfo !== true) return {};
  const { length, hasNext, hasPrevious } = page;
  const cursors = length === 0 ? "" : `, start="${page.cursor(0)}", end="${page.cursor(length - 1)}"`;
  return { "Page-Info": `next=?${hasNext ? 1 : 0}, previous=?${hasPrevious ? 1 : 0}${cursors}` };
}
