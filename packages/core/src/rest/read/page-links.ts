import type { HttpRequest } from "../../message/message.ts";
import type { Page } from "../../operation/page.ts";
import type { PageSummary } from "../../operation/visible-rows.ts";

/** The URLs of the neighboring pages, relative to the host. */
export interface PageLinks {
  readonly first: string;
  readonly prev?: string;
  readonly next?: string;
}

export function pageLinks({ method, prefix, path, query }: HttpRequest, page: PageSummary, asked: Page): PageLinks {
  const others = query.split("&").filter((part) => part !== "" && !isPlace(part));
  const link = (place?: string): string => {
    const parts = place === undefined ? others : [...others, place];
    return encodeOthers(`${prefix}${path}${parts.length === 0 ? "" : `?${parts.join("&")}`}`);
  };
  const { offset } = asked;
  // A body may contain a position, which any `page` parameter in the URL overrides.
  const isElsewhere = method === "QUERY" && [offset, asked.after, asked.before].some((place) => place !== undefined);
  const first = link(isElsewhere && !others.some(isSize) ? `page[size]=${asked.size}` : undefined);
  const links: { -readonly [K in keyof PageLinks]: PageLinks[K] } = { first };
  if (offset !== undefined) {
    links.prev = link(`page[offset]=${Math.max(0, offset - asked.size)}`);
    if (page.hasNext) links.next = link(`page[offset]=${offset + asked.size}`);
  } else if (page.length > 0) {
    if (page.hasPrevious) links.prev = link(`page[before]=${page.cursor(0)}`);
    if (page.hasNext) links.next = link(`page[after]=${page.cursor(page.length - 1)}`);
  }
  return links;
}

/** `Link` (RFC 8288). */
export function linkHeader(links: PageLinks): string {
  return Object.entries(links)
    .map(([rel, href]) => `<${href as string}>; rel="${rel}"`)
    .join(", ");
}

const PLACES: ReadonlySet<string> = new Set(["page[after]", "page[before]", "page[offset]"]);

/** Whether a parameter sets the position of the page in the list. */
function isPlace(part: string): boolean {
  return PLACES.has(nameOf(part));
}

function isSize(part: string): boolean {
  return nameOf(part) === "page[size]";
}

function nameOf(part: string): string {
  const [name = ""] = part.split("=", 1);
  return name.includes("%") ? decoded(name) : name;
}

/** Decodes a name like `parseQuery`. A name that `parseQuery` would reject can't set a position. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Characters that URIs don't allow (RFC 3986 §3.4) could end the link. */
function encodeOthers(text: string): string {
  return text.replaceAll(/[[\]<>"\\^`{|}]/g, (one) => encodeURIComponent(one));
}
