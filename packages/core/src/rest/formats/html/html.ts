import { hash } from "../../../runtime/crypto.ts";
import type { Format } from "../format.ts";
import { PAGE_CSS, PAGE_JS } from "./client-bundle.ts";
import { graphqlPage } from "./graphql-page.ts";
import { errorPages } from "./error-page.ts";
import { groupsPage } from "./groups-page.ts";
import { indexPage } from "./index-page.ts";
import { itemPage } from "./item-page.ts";
import { listPage } from "./list-page.ts";
import type { PageLook, PageOptions } from "./page-options.ts";
import { problemPage } from "./problem-page.ts";
import { withReferenceLabels } from "./reference-labels.ts";
import { schemaPage } from "./schema/schema-page.ts";
import { themeCss } from "./theme-css.ts";
import { checkCallOptions } from "../../../util/check-call.ts";

const CONTENT_TYPE = "text/html; charset=utf-8";

/** Forbids external resources, inline scripts and styles, and framing by other pages (CSP Level 3). */
function headersFor(imageOrigins: readonly string[]): Readonly<Record<string, string>> {
  const images = ["'self'", "data:", ...imageOrigins].join(" ");
  return {
    "Content-Security-Policy": `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src ${images}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    "Referrer-Policy": "same-origin",
  };
}

const ORIGIN = /^https?:\/\/[\w.-]+(:\d+)?$/;

/**
 * Creates HTML pages with another name, mark or color. Use them instead of `htmlPages` in `formats`.
 * @example createHtmlPages({ name: "The bookshop", color: "#7c2d12" })
 */
export function createHtmlPages(options: PageOptions): Format {
  checkCallOptions("createHtmlPages", options, {
    name: "a string",
    mark: "a string",
    color: "a string",
    styleColors: "an object",
    imageOrigins: "a list of strings",
    css: "a string",
  });
  const css = PAGE_CSS + themeCss(options);
  const { name, mark, imageOrigins = [] } = options;
  const wrong = imageOrigins.find((origin) => !ORIGIN.test(origin));
  if (wrong !== undefined)
    throw new TypeError(
      `options.imageOrigins must contain origins such as 'https://images.example'; received '${wrong}'.`,
    );
  const headers = headersFor(imageOrigins);
  const look: PageLook = {
    ...(name === undefined ? {} : { name }),
    ...(mark === undefined ? {} : { mark }),
    imageOrigins,
    css: `page.css?v=${hash("sha1", css, "hex").slice(0, 10)}`,
  };
  return {
    mediaType: "text/html",
    contentType: CONTENT_TYPE,
    select: withReferenceLabels,
    item: (view) => itemPage(view, look),
    list: (view) => listPage(view, look),
    groups: (view) => groupsPage(view, look),
    index: (view) => indexPage(view, look),
    schema: (view) => schemaPage(view, look),
    problem: {
      contentType: CONTENT_TYPE,
      write: (problem, place) => problemPage(problem, place, look),
      headers,
    },
    headers: () => headers,
    pageHeaders: headers,
    pages: errorPages(look),
    endpointPage: (view) => graphqlPage(view, look),
    ignoresEmpty: true,
    assets: {
      "page.css": { contentType: "text/css; charset=utf-8", body: css },
      "page.js": { contentType: "text/javascript; charset=utf-8", body: PAGE_JS },
    },
  };
}

/** HTML pages for every URL of the API. They are readable without JavaScript, but forms need it. */
export const htmlPages: Format = createHtmlPages({});
