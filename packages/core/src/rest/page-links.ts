import type { HttpRequest } from "../http/message.ts";
import type { Page } from "../operation/page.ts";
import type { PageNode } from "../operation/outcome.ts";

/** `Link` (RFC 8288) to the first, previous and next page, relative to the host. */
export function pageLinks({ prefix, path, query }: HttpRequest, page: PageNode, asked: Page): string {
  const others = query.split("&").filter((part) => part !== "" && !isPlace(part));
  const link = (rel: string, place?: string): string => {
    const parts = place === undefined ? others : [...others, place];
    return `<${prefix}${path}${parts.length === 0 ? "" : `?${parts.join("&")}`}>; rel="${rel}"`;
  };
  const links = [link("first")];
  const { offset } = asked;
  if (offset !== undefined) {
    links.push(link("prev", `page[offset]=${Math.max(0, offset - asked.size)}`));
    if (page.hasNext) links.push(link("next", `page[offset]=${offset + asked.size}`));
  } else if (page.nodes.length > 0) {
    if (page.hasPrevious) links.push(link("prev", `page[before]=${page.cursor(0)}`));
    if (page.hasNext) links.push(link("next", `page[after]=${page.cursor(page.nodes.length - 1)}`));
  }
  return encodeBrackets(links.join(", "));
}

/** Whether a parameter says where in the list the page is. */
function isPlace(part: string): boolean {
  return /^page(\[|%5B)(after|before|offset)(\]|%5D)=/i.test(part);
}

/** Brackets in a query are not URI characters (RFC 3986 §3.4). */
function encodeBrackets(text: string): string {
  return text.replaceAll("[", "%5B").replaceAll("]", "%5D");
}
