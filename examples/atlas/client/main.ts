import { startCopying, startExamples, startTabs } from "./controls.ts";
import { byId } from "./elements.ts";
import { boundsOf, listsCities, withBounds } from "./lens/bounds-params.ts";
import { showChips } from "./lens/chips.ts";
import { createLens, type Origin } from "./lens/lens.ts";
import { matchingPoints } from "./lens/matching-points.ts";
import { joinLines, printRequest, readRequest, type RestRequest } from "./lens/request-text.ts";
import { placesOf } from "./lens/places-of.ts";
import type { Answer } from "./lens/server.ts";
import { createMap } from "./map/map.ts";
import { readPoints } from "./map/points.ts";
import { nearestCity, startNotes } from "./notes.ts";
import { startRoles } from "./role.ts";
import { startWriting } from "./write-note.ts";

const CITIES_IN_VIEW = document.body.dataset["view"] ?? "";
/** In milliseconds. */
const DRAW_INTERVAL = 250;
const follow = byId<HTMLInputElement>("follow");
const map = createMap({ moved: onMoved, clicked: (...place) => void choose(...place) });
const lens = createLens({ translated: onTranslated, answered: onAnswered });
const writing = startWriting((text) => lens.show({ style: "rest", text }, "user", true));
const examples = startExamples((request) => (request === "" ? showCitiesInView() : open(request)));
const notes = startNotes(map, (cities) => writing.know(cities));
let shown: RestRequest | undefined;
let matchingUrl: string | undefined;
let matching = new AbortController();

startTabs();
startCopying();
startRoles(() => {
  lens.repeat();
  notes.restart();
  const isNotes = shown?.path.startsWith("/notes") ?? false;
  byId("hint").textContent = isNotes ? "" : "Cities and countries have the same rules for everyone. Notes don't.";
});
follow.addEventListener("change", () => {
  if (follow.checked) onMoved();
});
openFirst();
void drawAll();

function openFirst(): void {
  const linked = new URLSearchParams(location.hash.slice(1)).get("request");
  if (linked === null) return showCitiesInView();
  examples.mark(linked);
  open(linked);
}

/** Draws the points as they arrive, from time to time, because each drawing draws all of them. */
async function drawAll(): Promise<void> {
  let drawn = 0;
  const points = await readPoints("/cities?fields=lat,lng", new AbortController().signal, (part) => {
    if (performance.now() - drawn < DRAW_INTERVAL) return;
    drawn = performance.now();
    map.setAll(part);
  });
  map.setAll(points);
  byId("map").setAttribute("data-points", String(points.count));
}

function open(request: string): void {
  lens.show({ style: "rest", text: printRequest(readRequest(request)) });
}

function showCitiesInView(): void {
  follow.checked = true;
  examples.mark("");
  show(withBounds(readRequest(CITIES_IN_VIEW), map.bounds(), map.digits()), "map");
}

function show(request: RestRequest, origin: Origin): void {
  lens.show({ style: "rest", text: printRequest(request) }, origin);
}

/** Limits the list of cities to the map. Other requests aren't about an area, so they stay. */
function onMoved(): void {
  if (!follow.checked) return;
  const { style, text } = lens.current();
  const current = style === "rest" ? readRequest(text) : shown;
  if (current === undefined || !listsCities(current)) return showCitiesInView();
  show(withBounds(current, map.bounds(), map.digits()), "map");
}

function onTranslated(request: RestRequest | undefined, origin: Origin): void {
  shown = request;
  if (origin === "user") byId("hint").textContent = "";
  showChips(request, (changed) => show(changed, "user"));
  if (request === undefined) return;
  const bounds = boundsOf(request);
  if (origin === "user") {
    follow.checked = bounds !== undefined;
    if (bounds !== undefined) map.fit(bounds);
    const text = joinLines(printRequest(request));
    if (request.method === "GET")
      history.replaceState(null, "", `#${new URLSearchParams({ request: text }).toString()}`);
  }
  void showMatching(matchingPoints(request));
}

async function showMatching(url: string | undefined): Promise<void> {
  if (url === matchingUrl) return;
  matchingUrl = url;
  matching.abort();
  matching = new AbortController();
  if (url === undefined) return map.setMatching(undefined);
  const { signal } = matching;
  // Filters that the list of cities doesn't have leave the map as it is.
  const points = await readPoints(url, signal, () => {}).catch(() => undefined);
  if (!signal.aborted) map.setMatching(points);
}

function onAnswered({ body, total }: Answer): void {
  const places = placesOf(body);
  map.setMarks(
    "row",
    places.map(({ id, name, lat, lng }) => ({ key: `row ${id}`, label: name, lat, lng, kind: "row" })),
  );
  if (shown !== undefined && listsCities(shown)) writing.list(places);
  byId("found").textContent = describeTotal(Array.isArray(body) ? body.length : undefined, total);
}

function describeTotal(count: number | undefined, total: string | null): string {
  if (count === undefined || total === null) return "";
  const [number = "", exactness] = total.split(";");
  const all = Number.parseInt(number, 10);
  const text = exactness === undefined ? all.toLocaleString("en") : `more than ${(all - 1).toLocaleString("en")}`;
  return `${count} of ${text} rows`;
}

async function choose(lat: number, lng: number, degreesPerPixel: number): Promise<void> {
  const city = await nearestCity(lat, lng, degreesPerPixel);
  if (city === undefined) return map.setMarks("chosen", []);
  writing.choose(city);
  map.setMarks("chosen", [
    { key: `chosen ${city.id}`, label: city.name, lat: city.lat, lng: city.lng, kind: "chosen" },
  ]);
}
