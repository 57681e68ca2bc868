import type { SchemaOperation, SchemaResource } from "../../../schema/schema-resource.ts";
import type { SchemaView } from "../../format.ts";
import { showDescription } from "../description.ts";
import { html, type Markup } from "../markup.ts";
import { toWords } from "../words.ts";
import { resourceLink } from "./fields-table.ts";
import { showGraphql, showRest } from "./signatures.ts";

const WORDS: Readonly<Record<string, string>> = {
  list: "List",
  get: "Get one",
  aggregate: "Aggregate",
  create: "Create",
  createMany: "Create several",
  update: "Update",
  updateMany: "Update matching rows",
  replace: "Replace",
  delete: "Delete",
  deleteMany: "Delete matching rows",
  watch: "Watch changes",
};

const KINDS = { belongsTo: "one", hasOne: "one", hasMany: "many", manyToMany: "many" } as const;

/** Shows what callers can do with the rows of a resource, in both styles. */
export function operationsTable({ prefix }: SchemaView, { operations }: SchemaResource): Markup {
  return pairs(
    "Operations",
    prefix,
    operations.map((one) => [html`<b>${WORDS[one.name] ?? toWords(one.name)}</b>`, one]),
  );
}

export function relationsTable(view: SchemaView, { relations }: SchemaResource): Markup {
  const rows = relations.map((one): Row => {
    const { name, target, kind, local, nullable } = one.relation;
    const reference = kind === "belongsTo" ? html` by <code>${local.join(", ")}</code>` : "";
    const count = `${KINDS[kind]}${kind !== "belongsTo" || !nullable ? "" : " or none"}`;
    return [
      html`<code><b>${name}</b></code><p class="quiet">${count}: ${resourceLink(view, target)}${reference}</p>`,
      one,
    ];
  });
  return pairs("Relations", view.prefix, rows);
}

/** Shows actions or queries with their descriptions. */
export function callsTable(
  { prefix }: SchemaView,
  label: string,
  calls: SchemaResource["actions" | "queries"],
): Markup {
  const rows = calls.map((one): Row => {
    const { description, deprecated } = one.of;
    return [
      html`<b>${toWords(one.name)}</b>${deprecated === undefined ? "" : html`<p class="warning">Deprecated: ${deprecated}</p>`}${description === undefined ? "" : html`<p>${showDescription(description)}</p>`}`,
      one,
    ];
  });
  return pairs(label, prefix, rows);
}

type Row = readonly [words: Markup, operation: SchemaOperation];

function pairs(label: string, prefix: string, rows: readonly Row[]): Markup {
  if (rows.length === 0) return html``;
  return html`<h2 id="${label.toLowerCase()}">${label}</h2>
<div class="scroll" role="region" aria-label="${label}" tabindex="0">
<table class="schema paired">
<thead><tr><th scope="col">${label.replace(/ies$/, "y").replace(/s$/, "")}</th><th scope="col" class="rest">REST</th><th scope="col" class="graphql">GraphQL</th></tr></thead>
<tbody>${rows.map(
    ([words, { rest, graphql }]) => html`<tr>
<td>${words}</td>
<td data-label="REST">${showRest(rest, prefix)}</td>
<td data-label="GraphQL">${showGraphql(graphql)}</td>
</tr>`,
  )}</tbody>
</table>
</div>`;
}
