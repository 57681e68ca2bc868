import { SCHEMA_PATH } from "../../../routes/schema-path.ts";
import type { SchemaResource } from "../../../schema/schema-resource.ts";
import type { SchemaView } from "../../format.ts";
import { showDescription } from "../description.ts";
import { lensPanel } from "../lens-panel.ts";
import { html, type Markup } from "../markup.ts";
import { toWords } from "../words.ts";
import { accessSection } from "./access-section.ts";
import { fieldsTable } from "./fields-table.ts";
import { callsTable, operationsTable, relationsTable } from "./operations-table.ts";

interface Written {
  readonly title: string;
  readonly main: Markup;
  readonly lens?: Markup;
}

const ABOUT_ACCESS =
  "The permissions of each caller, in both styles. All rules of a permission must allow it. “Signed in” has no roles and no scopes.";

/** Writes the schema of one resource: its names, fields, relations and operations in both styles, and its access rules. */
export async function resourceSchema(view: SchemaView, shown: SchemaResource): Promise<Written> {
  const { prefix, access } = view;
  const { resource, actions, queries, relations } = shown;
  const { plural, description, deprecated } = resource;
  const title = toWords(plural);
  const sections = [
    "Fields",
    ...(relations.length === 0 ? [] : ["Relations"]),
    ...(shown.operations.length === 0 ? [] : ["Operations"]),
    ...(actions.length === 0 ? [] : ["Actions"]),
    ...(queries.length === 0 ? [] : ["Queries"]),
    ...(access === undefined ? [] : ["Access"]),
  ];
  const main = html`<p class="crumbs"><a href="${prefix}${SCHEMA_PATH}">${access === undefined ? "Schema" : "Schema and access"}</a></p>
<h1>${title}</h1>
${deprecated === undefined ? "" : html`<p class="warning">Deprecated: ${deprecated}</p>`}
${description === undefined ? "" : html`<p class="lead">${showDescription(description)}</p>`}
${names(view, shown)}
<nav class="relations" aria-label="Sections"><ul>${sections.map((name) => html`<li><a href="#${name.toLowerCase()}">${name}</a></li>`)}</ul></nav>
<h2 id="fields">Fields</h2>
${fieldsTable(view, shown)}
${relationsTable(view, shown)}
${operationsTable(view, shown)}
${callsTable(view, "Actions", actions)}
${callsTable(view, "Queries", queries)}
${access === undefined ? "" : accessSection(access, { about: ABOUT_ACCESS })}`;
  return { title, main, ...(await request(view, shown)) };
}

/** The names of the resource in each style, side by side. */
function names({ api, prefix }: SchemaView, { resource, isInRest, graphql }: SchemaResource): Markup {
  const { path, operations } = resource;
  const collection = html`<code>/${path}</code>`;
  const rest = operations.rest.list ? html`<a href="${prefix}/${path}">${collection}</a>` : collection;
  const graphiql = api.developerPages["GraphiQL"] ?? api.developerPages["GraphQL"];
  const type = html`<code>${graphql.type}</code>`;
  return html`<div class="lenses">
${isInRest ? html`<p class="in-rest"><b>REST</b> ${rest}${operations.rest.get ? html` <code>/${path}/{id}</code>` : ""}</p>` : ""}
${graphql.type === undefined ? "" : html`<p class="in-graphql"><b>GraphQL</b> ${graphiql === undefined ? type : html`<a href="${prefix}${graphiql}">${type}</a>`} ${graphql.types.map((name) => html`<code>${name}</code> `)}</p>`}
</div>`;
}

/** The first page of the rows, as a request in each style. */
async function request(
  { api, prefix, requestTextsOf }: SchemaView,
  { resource }: SchemaResource,
): Promise<{ readonly lens?: Markup }> {
  if (!resource.operations.rest.list) return {};
  const [path, query] = [`/${resource.path}`, "page[size]=3"];
  const shown = { api, prefix, url: `${prefix}${path}?${query}`, requestTexts: () => requestTextsOf(path, query) };
  return { lens: await lensPanel(shown, "list", "A first request") };
}
