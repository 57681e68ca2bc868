import type { loadAtlas } from "./load-atlas.ts";

type City = ReturnType<typeof loadAtlas>["city"][number];

interface FirstNote {
  readonly city: string;
  readonly country: string;
  readonly by: string;
  readonly text: string;
  readonly hidden?: boolean;
}

const NOTES: readonly FirstNote[] = [
  { city: "Longyearbyen", country: "SJ", by: "Solveig", text: "The polar night lasts from late October to February." },
  { city: "Reykjavík", country: "IS", by: "Jón", text: "The northernmost capital of a sovereign state." },
  { city: "Wellington", country: "NZ", by: "Aroha", text: "The southernmost capital of a sovereign state." },
  { city: "Ushuaia", country: "AR", by: "Martina", text: "Ships to Antarctica leave from here." },
  { city: "Iquitos", country: "PE", by: "Rosa", text: "No road leads here. You arrive by boat or by plane." },
  { city: "Istanbul", country: "TR", by: "Deniz", text: "Breakfast in Asia, lunch in Europe." },
  { city: "Quito", country: "EC", by: "Camila", text: "The equator is about 25 km north of the center." },
  { city: "Kyoto", country: "JP", by: "Haruka", text: "The capital of Japan for more than a thousand years." },
  { city: "Vaduz", country: "LI", by: "Lukas", text: "You can walk to Switzerland from here." },
  { city: "Nairobi", country: "KE", by: "Wanjiru", text: "A national park begins at the edge of the city." },
  { city: "Singapore", country: "SG", by: "Bargains", text: "Cheap flights, click here!", hidden: true },
  { city: "Samarkand", country: "UZ", by: "test", text: "test test test", hidden: true },
];
const HOUR = 3_600_000;

/** Returns the notes that a new database starts with, the oldest first. Only editors can read the hidden ones. */
export function firstNotes(cities: readonly City[]) {
  return NOTES.toReversed().flatMap(({ city, country, by, text, hidden = false }, at) => {
    const found = cities.find(({ name, countryCode }) => name === city && countryCode === country);
    if (found === undefined) return [];
    const createdAt = new Date(Date.now() - (NOTES.length - at) * HOUR).toISOString();
    return [{ id: null, cityId: found["id"] ?? null, by, hidden, text, createdAt }];
  });
}
