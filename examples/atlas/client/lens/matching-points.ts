import { withoutBounds } from "./bounds-params.ts";
import { type Param, type RestRequest, urlOf } from "./request-text.ts";

const FIELDS: Param = ["fields", "lat,lng"];

/** Returns the URL of the points that a read is about. Undefined if these are all points, or none. */
export function matchingPoints({ method, path, params }: RestRequest): string | undefined {
  if (method !== "GET") return undefined;
  const filters = withoutBounds(params).filter(([name]) => name.startsWith("filter["));
  const [, collection, id] = path.split("/");
  if (collection === "cities" && id === undefined) return citiesWith(filters);
  if (collection !== "countries") return undefined;
  if (id !== undefined) return citiesWith([["filter[countryCode]", id]]);
  return citiesWith(filters.map(([name, value]) => [alongCountry(name), value]));
}

function citiesWith(filters: readonly Param[]): string | undefined {
  return filters.length === 0 ? undefined : urlOf({ path: "/cities", params: [...filters, FIELDS] });
}

/** Turns a filter of countries into one of their cities. */
function alongCountry(name: string): string {
  return name.replace("filter[", "filter[country][");
}
