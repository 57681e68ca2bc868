import type { ResourceModel } from "../../../model/model.ts";
import type { PageView } from "../format.ts";
import { curlToCreate } from "./curl.ts";
import { layout } from "./layout.ts";
import { copyable } from "./lens-panel.ts";
import { html } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import { labelFields } from "./value.ts";

/** Writes the page that browsers get at `/graphql` if the API has no editor for documents. */
export function graphqlPage({ api, model, prefix }: PageView, look: PageLook): string {
  const url = `${prefix}/graphql`;
  const document = firstDocument([...model.resources.values()]);
  const main = html`<h1>GraphQL</h1>
<p class="lead">Send documents to this URL by POST.</p>
${copyable("A request with a document", html`<code data-curl>${curlToCreate(url, { query: document })}</code>`)}
<p><a href="${url}?${new URLSearchParams({ query: document }).toString()}">Send it by GET</a></p>
<p><a href="${prefix}/">All resources</a></p>
<p>For an editor on this page, set <code>graphql.graphiql</code> to <code>graphiql()</code> of <code>@bifocal/graphiql</code>.</p>`;
  return layout({ api, model, prefix, look, title: "GraphQL", current: "/graphql", main });
}

/** Reads rows of the first resource that everyone can read. */
function firstDocument(resources: readonly ResourceModel[]): string {
  const first = resources.find(({ access, operations, tenant }) => {
    return operations.graphql.list && access.read.kind === "allow" && tenant === undefined;
  });
  if (first === undefined) return "{ __typename }";
  const [label] = labelFields(first);
  const fields = [...new Set([...first.key, ...(label === undefined ? [] : [label.name])])];
  const names = fields.filter((name) => first.visibleFields.some((field) => field.name === name));
  return `{ ${first.plural}(first: 3) { nodes { ${names.length === 0 ? "__typename" : names.join(" ")} } } }`;
}
