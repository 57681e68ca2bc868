import type { GraphqlSignature } from "../../../schema/graphql-names.ts";
import type { RestSignature } from "../../../schema/schema-resource.ts";
import { html, type Markup } from "../markup.ts";

const NONE = html`<span class="empty">–</span>`;

/** Shows the requests of an operation in REST: `GET /books ?filter &sort → Book[]`. */
export function showRest(signatures: readonly RestSignature[], prefix: string): Markup {
  if (signatures.length === 0) return NONE;
  return html`<ul class="signatures">${signatures.map((one) => html`<li>${restSignature(one, prefix)}</li>`)}</ul>`;
}

function restSignature(
  { method, path, isPage = false, parameters = [], accept, body, result }: RestSignature,
  prefix: string,
): Markup {
  const target = isPage ? html`<a href="${prefix}${path}">${path}</a>` : path;
  const names = parameters.map((name, at) => html`<wbr>${at === 0 ? "?" : "&"}${name}`);
  const content = [
    ...(accept === undefined ? [] : [`Accept: ${accept}`]),
    ...(body === undefined ? [] : [body]),
    ...(result === undefined ? [] : [`→ ${result}`]),
  ].join(" ");
  return html`<code><b>${method}</b> ${target}<span class="quiet">${names}</span></code>${content === "" ? "" : html`<br><code class="quiet">${content}</code>`}`;
}

/** Shows fields of GraphQL with their arguments: `book(id: ID!): Book`. */
export function showGraphql(signatures: readonly GraphqlSignature[]): Markup {
  if (signatures.length === 0) return NONE;
  return html`<ul class="signatures">${signatures.map((one) => html`<li>${graphqlSignature(one)}</li>`)}</ul>`;
}

/** Optional arguments with a plain value are only named, so that the others stand out. */
const PLAIN = /^(?:Int|String|Boolean|Float|ID)$/;

function graphqlSignature({ name, args, type }: GraphqlSignature): Markup {
  const written = Object.entries(args).map(([arg, of]) => (PLAIN.test(of) ? arg : `${arg}: ${of}`));
  return html`<code><b>${name}</b>${written.length === 0 ? "" : html`<wbr><span class="quiet">(${written.join(", ")})</span>`}: ${type}</code>`;
}
