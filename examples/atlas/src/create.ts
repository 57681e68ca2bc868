import { defineApi, memoryStore } from "@bifocal/core";
import { graphiql } from "@bifocal/graphiql";
import { loadAtlas } from "./data/load-atlas.ts";
import { city } from "./resources/city.ts";
import { country } from "./resources/country.ts";
import { note } from "./resources/note.ts";

const QUERY = `{
  country(id: "LI") {
    name
    neighbours { nodes { name cities(sort: [LAT_DESC], first: 3) { nodes { name } } } }
  }
}
`;

/** The atlas with all its rows in memory, mounted nowhere yet. */
export function createAtlas() {
  const data = loadAtlas();
  const api = defineApi({
    title: "Atlas",
    version: "1.0.0",
    description: "Countries, their cities, and what visitors write on them.",
    resources: [country, city, note],
    store: memoryStore({ data }),
    graphql: { graphiql: graphiql({ query: QUERY }) },
  });
  return { api, counts: { countries: data.country.length, cities: data.city.length } };
}
