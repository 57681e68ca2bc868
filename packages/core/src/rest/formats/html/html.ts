import type { Format } from "../format.ts";
import { PAGE_CSS, PAGE_JS } from "./client-bundle.ts";
import { indexPage } from "./index-page.ts";
import { itemPage } from "./item-page.ts";
import { listPage } from "./list-page.ts";
import { problemPage } from "./problem-page.ts";

const CONTENT_TYPE = "text/html; charset=utf-8";

/** Forbids external resources, inline scripts and styles, and framing by other pages (CSP Level 3). */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "same-origin",
};

/** HTML pages for every URL of the API. They are readable without JavaScript, but forms need it. */
export const htmlPages: Format = {
  mediaType: "text/html",
  contentType: CONTENT_TYPE,
  item: itemPage,
  list: listPage,
  index: indexPage,
  problem: { contentType: CONTENT_TYPE, write: problemPage, headers: HEADERS },
  headers: () => HEADERS,
  pageHeaders: HEADERS,
  ignoresEmpty: true,
  assets: {
    "page.css": { contentType: "text/css; charset=utf-8", body: PAGE_CSS },
    "page.js": { contentType: "text/javascript; charset=utf-8", body: PAGE_JS },
  },
};
