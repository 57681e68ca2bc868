/** A request to start from. */
export interface Preset {
  readonly title: string;
  /** As the REST editor shows it. */
  readonly request: string;
}

const CITY = "id,name,country.name,lat,lng";

/** The list of the cities on the map, without the limits of the map. */
export const CITIES_IN_VIEW = `GET /cities?sort=-capital,name&fields=${CITY}&page[size]=12&count=true`;

export const PRESETS: readonly Preset[] = [
  {
    title: "Every Paris outside France",
    request: `GET /cities?filter[name]=Paris&filter[countryCode][ne]=FR&fields=${CITY}&page[size]=20`,
  },
  {
    title: "Capitals south of the equator",
    request: `GET /cities?filter[capital]=true&filter[lat][lt]=0&sort=-lat&fields=${CITY}&page[size]=20&count=true`,
  },
  {
    title: "Neighbors of France and Germany",
    request:
      "GET /countries?filter[and][0][neighbors][some][code]=FR&filter[and][1][neighbors][some][code]=DE&sort=name&fields=code,name,flag,capitals",
  },
  {
    title: "Landlocked Europe",
    request:
      "GET /countries?filter[region]=Europe&filter[landlocked]=true&sort=-area&fields=code,name,area,languages&count=true",
  },
  {
    title: "Three levels in one request",
    request:
      "GET /countries/LI?fields=name,neighbors.name,neighbors.cities.name&rel[neighbors.cities][sort]=-lat&rel[neighbors.cities][page][size]=3",
  },
  { title: "Notes and who may read them", request: "GET /notes?sort=-createdAt&page[size]=20" },
];
