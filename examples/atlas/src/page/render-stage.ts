/** Creates the map and, beside it, the request in both styles. The script fills them. */
export function renderStage(): string {
  return `<div class="stage">
<section class="map" aria-label="Map">
<div id="map" tabindex="0" role="application" aria-roledescription="map" aria-label="Map of all cities" aria-describedby="map-help">
<canvas id="points" aria-hidden="true"></canvas>
<div id="marks" aria-hidden="true"></div>
</div>
<p id="map-help" class="hidden">Arrow keys move the map, plus and minus zoom, and 0 shows the whole world.</p>
<noscript><p class="notice">The map needs JavaScript. The examples above are links to the pages of the API.</p></noscript>
<label class="follow"><input type="checkbox" id="follow" checked> Requests follow the map</label>
<div class="zoom"><button type="button" id="zoom-in" aria-label="Zoom in">+</button><button type="button" id="zoom-out" aria-label="Zoom out">−</button><button type="button" id="world" aria-label="Show the whole world">⤢</button></div>
<p id="found" class="found" aria-live="polite"></p>
</section>
<section class="lens" aria-label="The request">
<div class="chips" id="chips" role="group" aria-label="Filters"></div>
${renderEditor("rest", "REST")}
${renderEditor("graphql", "GraphQL")}
<div class="strip">
<p id="measures"></p>
<p id="message" role="status"></p>
<button type="button" id="run" title="Ctrl+Enter">Run</button>
</div>
</section>
</div>`;
}

function renderEditor(id: string, title: string): string {
  return `<div class="editor ${id}">
<div class="bar"><h2 id="${id}-title">${title}</h2><span class="time" id="${id}-time"></span><button type="button" data-copy="${id}">Copy</button></div>
<div class="code" id="${id}" role="textbox" aria-multiline="true" aria-labelledby="${id}-title" tabindex="0" spellcheck="false"></div>
</div>`;
}
