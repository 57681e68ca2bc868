import { expect, test } from "vitest";
import { showDescription } from "./description.ts";

test.each([
  ["a `code` & **strong** text", "a <code>code</code> &amp; <strong>strong</strong> text"],
  ["see [the docs](https://example.com/a?b=1&c) now", 'see <a href="https://example.com/a?b=1&amp;c">the docs</a> now'],
  ["[here](/books)", '<a href="/books">here</a>'],
  ["[no](javascript:alert(1))", "[no](javascript:alert(1))"],
  ["[no](//example.com)", "[no](//example.com)"],
  ["`<b>` 2 ** 3 * 4", "<code>&lt;b&gt;</code> 2 ** 3 * 4"],
])("shows %s", (text, html) => {
  expect(showDescription(text)["~markup"]).toBe(html);
});
