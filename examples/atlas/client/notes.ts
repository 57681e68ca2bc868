import { createClient, restLens } from "@bifocal/client";
import type { AtlasApi } from "../src/create.ts";
import { byId, create } from "./elements.ts";
import type { AtlasMap } from "./map/map.ts";
import type { Mark } from "./map/marks.ts";
import { credentialHeaders, roleName } from "./role.ts";

const client = createClient<AtlasApi>({
  url: `${location.origin}/api`,
  lens: restLens(),
  headers: credentialHeaders,
  retries: 5,
});

type City = Readonly<Record<"id" | "lat" | "lng", number> & Record<"name", string>>;
interface Note {
  readonly id: number;
  readonly cityId: number;
  readonly text: string;
  readonly createdAt: string;
  /** Missing for callers who can't read it. */
  readonly by?: string;
  readonly hidden?: boolean;
}

const MAX_NOTES = 100;
const cities = new Map<number, Promise<City | null>>();

/**
 * Shows the notes in the list and on the map, and keeps them up to date for the current role. `onCities` receives the cities
 * of the notes.
 */
export function startNotes(
  map: AtlasMap,
  onCities: (cities: readonly City[]) => void,
): { readonly restart: () => void } {
  const notes = new Map<number, { readonly note: Note; readonly city: City }>();
  let watching = new AbortController();

  async function watch(signal: AbortSignal): Promise<void> {
    notes.clear();
    show();
    for await (const change of client.note.watch({ initial: true, signal })) {
      if (change.kind === "reset") return restart();
      if (change.kind === "left") notes.delete(change.key);
      else if (change.kind === "deleted") notes.delete(change.item.id);
      else void add(change.item, change.kind === "created", signal);
      byId("live").textContent = `As ${roleName().toLowerCase()}`;
      show();
    }
  }

  async function add(note: Note, isNew: boolean, signal: AbortSignal): Promise<void> {
    const city = await cityOf(note.cityId);
    if (city === null || signal.aborted) return;
    notes.set(note.id, { note, city });
    show();
    if (isNew) map.pulse(`note ${note.id}`);
  }

  function show(): void {
    const newest = [...notes.values()]
      .sort((a, b) => b.note.createdAt.localeCompare(a.note.createdAt))
      .slice(0, MAX_NOTES);
    byId("notes").replaceChildren(...newest.map(({ note, city }) => createItem(note, city)));
    onCities(newest.map(({ city }) => city));
    map.setMarks(
      "note",
      newest.map(({ note, city }): Mark => ({ key: `note ${note.id}`, ...city, label: note.text, kind: "note" })),
    );
  }

  function restart(): void {
    watching.abort();
    watching = new AbortController();
    const { signal } = watching;
    watch(signal).catch((error: unknown) => {
      if (!signal.aborted) byId("live").textContent = error instanceof Error ? error.message : String(error);
    });
  }
  restart();
  return { restart };
}

function cityOf(id: number): Promise<City | null> {
  const known = cities.get(id);
  if (known !== undefined) return known;
  const read = client.city.get(id, { select: { id: true, name: true, lat: true, lng: true } }).catch(() => null);
  cities.set(id, read);
  return read;
}

function createItem(note: Note, city: City): HTMLElement {
  const item = create("li", "", note.hidden === true ? "hidden-note" : "");
  const head = create("p", "");
  head.append(
    create("strong", city.name),
    ` ${note.by === undefined ? "" : `by ${note.by}, `}${timeOf(note.createdAt)}`,
  );
  if (note.hidden === true) head.append(create("span", "hidden", "tag"));
  item.append(head, create("p", note.text));
  return item;
}

function timeOf(createdAt: string): string {
  return new Date(createdAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Returns the city that is nearest to a place, within some pixels. */
export async function nearestCity(lat: number, lng: number, degreesPerPixel: number): Promise<City | undefined> {
  const reach = degreesPerPixel * 14;
  const { items } = await client.city.list({
    filter: { lat: { between: [lat - reach, lat + reach] }, lng: { between: [lng - reach, lng + reach] } },
    // Where many cities are near, the capital is the most likely one.
    sort: ["-capital"],
    select: { id: true, name: true, lat: true, lng: true },
    page: { size: 200 },
  });
  const distance = (city: City): number => Math.hypot(city.lat - lat, city.lng - lng);
  return items.reduce<City | undefined>(
    (best, city) => (best === undefined || distance(city) < distance(best) ? city : best),
    undefined,
  );
}
