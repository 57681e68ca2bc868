interface Country {
  readonly cca2: string;
  readonly capital: readonly string[];
}
interface Place {
  readonly name: string;
  readonly country: string;
  readonly province: string | null;
}

/** Capitals whose names in the two sources have nothing in common but the place. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "City of San Marino": "San Marino",
  "City of Victoria": "Hong Kong",
  Naypyidaw: "Nay Pyi Taw",
  "Washington D.C.": "Washington",
};
const DISTRICTS: ReadonlySet<string> = new Set(["District of Columbia"]);

/** Returns the indexes of the places that are capitals. If a country has two places of that name, the province decides. */
export function findCapitals(countries: readonly Country[], places: readonly Place[]): ReadonlySet<number> {
  const byName = new Map<string, number[]>();
  for (const { cca2, capital } of countries) for (const name of capital) byName.set(nameIn(cca2, name), []);
  for (const [index, { country, name }] of places.entries()) byName.get(nameIn(country, name))?.push(index);
  return new Set(
    [...byName.values()].flatMap((found) => {
      const own = found.find((index) => isNamedAfter(places[index]));
      return own ?? found[0] ?? [];
    }),
  );
}

function isNamedAfter(place: Place | undefined): boolean {
  const { name = "", province } = place ?? {};
  return typeof province === "string" && (province.includes(name) || DISTRICTS.has(province));
}

/** The sources also differ in accents and punctuation: "Port Vila" and "Port-Vila". */
function nameIn(country: string, name: string): string {
  const known = OTHER_NAMES[name] ?? name;
  const plain = known
    .normalize("NFD")
    .toLowerCase()
    .replace(/^st\.? /, "saint ")
    .replaceAll(/[^a-z]/g, "");
  return `${country} ${plain}`;
}
