import { showDescription } from "./description.ts";
import type { QueryModel, ResourceModel } from "../../../model/model.ts";
import { offeredQueries } from "../../../model/offered.ts";
import type { WireMember } from "../../../model/wire-type.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { html, type Markup } from "./markup.ts";
import { toWords } from "./words.ts";

/** Returns a link for each query without required parameters, and a form for each other one. */
export function queryLinks(resource: ResourceModel, on: QueryModel["on"], base: string): Markup {
  const queries = offeredQueries(resource, "rest").filter((query) => query.on === on);
  const asked = queries.filter((query) => membersOf(query).some(({ optional }) => !optional));
  const linked = queries.filter((query) => !asked.includes(query));
  const links = linked.map(({ name }) => html`<li><a href="${base}/${kebabCase(name)}">${toWords(name)}</a></li>`);
  const list = html`<nav class="relations" aria-label="Queries"><ul>${links}</ul></nav>`;
  return html`${links.length === 0 ? "" : list}${asked.map((query) => queryForm(query, base))}`;
}

function queryForm(query: QueryModel, base: string): Markup {
  const inputs = membersOf(query).filter(({ type }) => type.kind !== "object" && type.kind !== "json");
  return html`<details>
<summary>${toWords(query.name)}</summary>
${query.description === undefined ? "" : html`<p class="about">${showDescription(query.description)}</p>`}
<form method="get" action="${base}/${kebabCase(query.name)}">
<div class="grid">${inputs.map(parameter)}</div>
<button>Show</button>
</form>
</details>`;
}

function membersOf({ input }: QueryModel): readonly WireMember[] {
  return input?.type.members ?? [];
}

function parameter({ name, type, optional }: WireMember): Markup {
  const required = optional ? "" : html` required`;
  const values = type.kind === "enum" ? type.values : type.kind === "boolean" ? ["true", "false"] : undefined;
  if (values === undefined) return html`<label>${toWords(name)} <input name="${name}"${required}></label>`;
  const options = values.map((value) => html`<option>${value}</option>`);
  return html`<label>${toWords(name)} <select name="${name}"${required}><option value=""></option>${options}</select></label>`;
}
