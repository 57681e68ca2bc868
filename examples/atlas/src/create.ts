import { apiKeys, defineApi } from "@bifocal/core";
import { DEFAULT_FORMATS } from "@bifocal/core/formats";
import { type FillOptions, fillStore, type Store } from "@bifocal/core/store";
import { apiConsole } from "@bifocal/console";
import { graphiql } from "@bifocal/graphiql";
import { scalar } from "@bifocal/scalar";
import { firstNotes } from "./data/first-notes.ts";
import { loadAtlas } from "./data/load-atlas.ts";
import { points } from "./points.ts";
import { city } from "./resources/city.ts";
import { country } from "./resources/country.ts";
import { note } from "./resources/note.ts";
import { PRINCIPALS } from "./roles.ts";

const QUERY = `{
  country(id: "LI") {
    name
    neighbors { nodes { name cities(sort: [LAT_DESC], first: 3) { nodes { name } } } }
  }
}
`;

export interface ImportOptions extends FillOptions {
  /** Called before the data is read. */
  readonly onStart?: () => void;
}

/** Creates the atlas API over a store, without a server. */
export function createAtlas(store: Store) {
  const api = defineApi({
    info: { title: "Atlas", version: "1.0.0", description: "Countries, their cities, and notes of visitors." },
    resources: [country, city, note],
    store,
    auth: apiKeys(PRINCIPALS),
    formats: [...DEFAULT_FORMATS, points],
    // This is a demo, so it is open in production too.
    introspection: true,
    developerPages: true,
    explain: true,
    docs: scalar(),
    console: apiConsole(),
    graphql: { graphiql: graphiql({ query: QUERY }) },
  });
  /** Fills an empty store. Returns the number of rows. */
  const fill = async ({ onStart, ...options }: ImportOptions = {}) => {
    await api.ready;
    // Reading the data takes a second, so it is read only if needed.
    if ((await count("country")) === 0) {
      onStart?.();
      const data = loadAtlas();
      await fillStore(store, api.model, { ...data, note: firstNotes(data.city) }, options);
    }
    return { countries: await count("country"), cities: await count("city") };
  };
  async function count(name: string): Promise<number> {
    const resource = api.model.resources.get(name);
    if (resource === undefined) return 0;
    const sort = resource.key.map((field) => ({ path: [field] as const, descending: false }));
    const { total = 0 } = await store.list({ resource, sort, limit: 1, count: true }, { signal: undefined });
    return total;
  }
  return { api, fill };
}

export type AtlasApi = ReturnType<typeof createAtlas>["api"];
