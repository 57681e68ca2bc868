import type { FieldModel } from "../../../../model/model.ts";
import { relationIn } from "../../../../model/relation-in.ts";
import { SCHEMA_PATH } from "../../../routes/schema-path.ts";
import type { GraphqlSignature } from "../../../schema/graphql-names.ts";
import { limitWords } from "../../../schema/limit-words.ts";
import type { SchemaResource } from "../../../schema/schema-resource.ts";
import { typeWords } from "../../../schema/type-words.ts";
import type { SchemaView } from "../../format.ts";
import { showDescription } from "../description.ts";
import { html, type Markup } from "../markup.ts";
import { toWords } from "../words.ts";

/** Shows the fields with their type in each style, then those that only GraphQL has. */
export function fieldsTable(view: SchemaView, shown: SchemaResource): Markup {
  const { resource, graphql } = shown;
  const along = shown.relations.flatMap((relation) => relation.graphql);
  const known = new Set([...resource.visibleFields, ...along].map(({ name }) => name));
  const added = [...graphql.fields.values()].filter(({ name }) => !known.has(name));
  return html`<div class="scroll" role="region" aria-label="Fields" tabindex="0">
<table class="schema">
<thead><tr><th scope="col">Field</th><th scope="col" class="rest">REST</th><th scope="col" class="graphql">GraphQL</th><th scope="col">Meaning</th></tr></thead>
<tbody>${resource.visibleFields.map((field) => fieldRow(view, shown, field))}${added.map(addedRow)}</tbody>
</table>
</div>`;
}

function fieldRow(view: SchemaView, { resource, isInRest, graphql }: SchemaResource, field: FieldModel): Markup {
  const type = graphql.fields.get(field.name)?.type;
  return html`<tr>
<td><code><b>${field.name}</b></code>${flags(resource, field)}</td>
<td data-label="REST"><code>${isInRest ? typeWords(field.type) : "–"}</code></td>
<td data-label="GraphQL"><code>${type ?? "–"}</code></td>
<td data-label="Meaning">${meaning(view, resource, field)}</td>
</tr>`;
}

function addedRow({ name, type, description }: GraphqlSignature): Markup {
  return html`<tr>
<td><code><b>${name}</b></code></td>
<td data-label="REST"><span class="empty">–</span></td>
<td data-label="GraphQL"><code>${type}</code></td>
<td data-label="Meaning">${description === undefined ? "" : showDescription(description)}</td>
</tr>`;
}

function flags({ key, operations }: SchemaResource["resource"], field: FieldModel): Markup {
  const isCreated = operations.rest.create || operations.graphql.create;
  const isReadOnly = !field.writable || field.write.kind === "deny";
  const names = [
    ...(key.includes(field.name) ? ["key"] : []),
    ...(isReadOnly ? ["read-only"] : field.required && isCreated ? ["required"] : []),
    ...(field.type.nullable ? ["nullable"] : []),
    ...(field.immutable && !isReadOnly ? ["set once"] : []),
    ...(field.filterable ? ["filter"] : []),
    ...(field.sortable ? ["sort"] : []),
  ];
  return names.length === 0 ? html`` : html`<ul class="tags">${names.map((name) => html`<li>${name}</li>`)}</ul>`;
}

function meaning(view: SchemaView, resource: SchemaResource["resource"], field: FieldModel): Markup {
  const { description, deprecated, default: value } = field;
  const target = relationIn(resource, field.name)?.target;
  const parts = [
    ...(deprecated === undefined ? [] : [html`<span class="warning">Deprecated: ${deprecated}</span>`]),
    ...(description === undefined ? [] : [showDescription(description)]),
    ...(target === undefined ? [] : [html`References ${resourceLink(view, target)}.`]),
    ...(field.writable ? limits(field) : []),
    ...(value === undefined ? [] : [html`<span class="quiet">Default: <code>${JSON.stringify(value)}</code></span>`]),
  ];
  return parts.length === 0 ? html`` : html`<div>${parts.map((part) => html`<p>${part}</p>`)}</div>`;
}

function limits(field: FieldModel): readonly Markup[] {
  const words = limitWords(field);
  return words === undefined ? [] : [html`<span class="quiet">${toSentence(words)}</span>`];
}

function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Links to the page of a resource, if it has one. */
export function resourceLink({ prefix, resources, model }: SchemaView, name: string): Markup {
  const target = model.resources.get(name);
  const words = toWords(name);
  const isShown = resources.some(({ resource }) => resource === target);
  return isShown ? html`<a href="${prefix}${SCHEMA_PATH}/${target?.path}">${words}</a>` : html`${words}`;
}
