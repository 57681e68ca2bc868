import type { ListView } from "../format.ts";
import { html, type Markup } from "./markup.ts";
import { keptParameters, parameterOf } from "./url.ts";
import { toWords } from "./words.ts";

const OWN: ReadonlySet<string> = new Set(["q"]);

/** Returns a search box, if the rows can be searched. */
export function searchForm(view: ListView): Markup {
  if (view.resource.search.length === 0) return html``;
  return html`<form class="search" role="search" method="get" action="${view.prefix}${view.path}">
${keptParameters(view, OWN).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label><span class="unseen">Search</span> <input type="search" name="q" value="${parameterOf(view, "q") ?? ""}" placeholder="Search ${toWords(view.resource.plural).toLowerCase()}"></label>
<button class="plain">Search</button>
</form>`;
}
