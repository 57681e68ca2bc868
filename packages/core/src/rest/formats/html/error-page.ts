import { type ErrorCode, ERROR_STATUS } from "../../../errors/codes.ts";
import { describeCode } from "../../response/serialize-problem.ts";
import type { Format, PageView } from "../format.ts";
import { CODE_HELP } from "./code-help.ts";
import { showDescription } from "./description.ts";
import { highlight } from "./highlight.ts";
import { layout } from "./layout.ts";
import { copyable } from "./lens-panel.ts";
import { html } from "./markup.ts";
import type { PageLook } from "./page-options.ts";

const CODES = Object.keys(ERROR_STATUS) as readonly ErrorCode[];

/** Writes a page for each error code. */
export function errorPages(look: PageLook): NonNullable<Format["pages"]> {
  return Object.fromEntries(CODES.map((code) => [nameOf(code), (view) => errorPage(code, view, look)]));
}

export function errorPath(code: string): string {
  return `/-/${nameOf(code)}`;
}

function nameOf(code: string): string {
  return `errors/${code.toLowerCase().replaceAll("_", "-")}`;
}

/** Any call of the client throws the error, so the example has none. */
function catching(code: ErrorCode): string {
  return `import { isBifocalError } from "@bifocal/client";

try {
  // a call of the client
} catch (error) {
  if (isBifocalError(error) && error.code === "${code}") console.log(error.message);
  else throw error;
}`;
}

/** Explains a code: when it occurs, what to do, and how it looks in each style. */
function errorPage(code: ErrorCode, { api, model, prefix }: PageView, look: PageLook): string {
  const { type, title, status } = describeCode(code);
  const { when, solution } = CODE_HELP[code];
  const problem = { type, title, status, detail: "…", code };
  const error = { message: "…", path: ["books"], extensions: { code } };
  const links = CODES.map(
    (one) =>
      html`<li><a href="${prefix}${errorPath(one)}"${one === code ? html` aria-current="page"` : ""}>${ERROR_STATUS[one]} <code>${one}</code></a></li>`,
  );
  const main = html`<h1>${status} ${title}</h1>
<p class="lead">${showDescription(when)}</p>
<h2>What to do</h2>
<p>${showDescription(solution)}</p>
<div class="pair">
<section class="in-rest" aria-labelledby="in-rest"><h2 id="in-rest">In REST</h2>
${copyable("The error in REST", html`<code>${highlight(JSON.stringify(problem, null, 2))}</code>`)}</section>
<section class="in-graphql" aria-labelledby="in-graphql"><h2 id="in-graphql">In GraphQL</h2>
${copyable("The error in GraphQL", html`<code>${highlight(JSON.stringify({ errors: [error] }, null, 2))}</code>`)}</section>
</div>
<section class="in-client" aria-labelledby="in-client"><h2 id="in-client">In TypeScript</h2>
${copyable("The error in TypeScript", html`<code>${highlight(catching(code))}</code>`)}</section>
<h2>All codes</h2>
<nav class="codes" aria-label="Error codes"><ul>${links}</ul></nav>`;
  return layout({ api, model, prefix, look, title: `${status} ${title}`, main });
}
