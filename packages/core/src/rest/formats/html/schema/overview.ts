import type { DescribedRight } from "../../../../model/access/describe-access.ts";
import { SCHEMA_PATH } from "../../../routes/schema-path.ts";
import type { SchemaResource } from "../../../schema/schema-resource.ts";
import type { SchemaView } from "../../format.ts";
import { showDescription } from "../description.ts";
import { html, type Markup } from "../markup.ts";
import { toWords } from "../words.ts";
import { accessSection } from "./access-section.ts";
import { showGraphql } from "./signatures.ts";

interface Written {
  readonly title: string;
  readonly main: Markup;
}

const ABOUT_ACCESS =
  "The permissions of each caller on the rows of a resource. Each permission links to its rules, and to those of fields, relations, actions and queries.";

/** Writes the list of all resources with their name in each style, and who is allowed to read and write their rows. */
export function overview(view: SchemaView): Written {
  const { resources, others, access } = view;
  const title = access === undefined ? "Schema" : "Schema and access";
  const main = html`<h1>${title}</h1>
<p class="lead">Each resource has a path in REST and a type in GraphQL. Both show the same rows, under the same rules.</p>
<ul class="collections resources">${resources.map((one) => card(view, one))}</ul>
${others.length === 0 ? "" : otherFields(view)}
${access === undefined ? "" : accessSection(access, { about: ABOUT_ACCESS, urlOf: (right) => urlOf(view, right) })}`;
  return { title, main };
}

function card({ prefix, resources }: SchemaView, { resource, isInRest, graphql, relations }: SchemaResource): Markup {
  const { path, plural, description, visibleFields } = resource;
  const targets = new Set(
    relations
      .map(({ relation }) => relation.target)
      .filter((name) => resources.some((one) => one.resource.name === name)),
  );
  const counts = `${counted(visibleFields.length, "field")}, ${counted(relations.length, "relation")}`;
  return html`<li><a href="${prefix}${SCHEMA_PATH}/${path}">${toWords(plural)}</a>
<p class="names">${isInRest ? html`<code class="rest">/${path}</code>` : ""} ${graphql.type === undefined ? "" : html`<code class="graphql">${graphql.type}</code>`}</p>
${description === undefined ? "" : html`<p>${showDescription(description)}</p>`}
<p class="quiet">${counts}${targets.size === 0 ? "" : html`: ${[...targets].map(toWords).join(", ")}`}</p></li>`;
}

function urlOf({ prefix, resources }: SchemaView, { row }: DescribedRight): string | undefined {
  const shown = resources.find(({ resource }) => resource.name === row.resource);
  return shown && `${prefix}${SCHEMA_PATH}/${shown.resource.path}#access`;
}

function otherFields({ others }: SchemaView): Markup {
  return html`<h2>Only in GraphQL</h2>
<div class="in-graphql">${showGraphql(others)}</div>`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
