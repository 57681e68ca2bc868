/** An example: one request in REST and GraphQL, each as a command to paste into a shell. */
export interface Example {
  readonly title: string;
  readonly text: string;
  readonly rest: RestCall;
  readonly graphql: GraphqlCall;
}

export interface RestCall {
  readonly method: "GET" | "POST";
  /** Path below the mount, with a readable query: `/cities?filter[name]=Paris`. */
  readonly path: string;
  readonly body?: string;
  readonly stream?: boolean;
  readonly curl: string;
}

export interface GraphqlCall {
  readonly document: string;
  readonly stream?: boolean;
  readonly curl: string;
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly rest: Omit<RestCall, "curl">;
  readonly graphql: Omit<GraphqlCall, "curl">;
}

/** The examples on the page, for the API at `base`. Notes are written about the city `cityId`. */
export function examples({ base, cityId }: { readonly base: string; readonly cityId: number }): readonly Example[] {
  return questions(cityId).map(({ title, text, rest, graphql }) => ({
    title,
    text,
    rest: { ...rest, curl: restCurl(base, rest) },
    graphql: { ...graphql, curl: graphqlCurl(base, graphql) },
  }));
}

function questions(cityId: number): readonly Question[] {
  return [
    {
      title: "One country",
      text: "By its key. GraphQL names the fields it wants; REST sends all of them, or those in fields.",
      rest: { method: "GET", path: "/countries/CH?fields=name,capitals,languages" },
      graphql: { document: `{ country(id: "CH") { name capitals languages } }` },
    },
    {
      title: "A filter and a sort",
      text: "European countries without a coast, the largest first, counted.",
      rest: {
        method: "GET",
        path: "/countries?filter[region]=Europe&filter[landlocked]=true&sort=-area&fields=name,area&count=true",
      },
      graphql: {
        document: `{
  countries(filter: { region: { eq: Europe }, landlocked: { eq: true } }, sort: [AREA_DESC]) {
    totalCount
    nodes { name area }
  }
}`,
      },
    },
    {
      title: "Along relations",
      text: "A country, the countries at its borders, and three cities of each from north to south: three reads in all.",
      rest: {
        method: "GET",
        path: "/countries/LI?fields=name,neighbors.name,neighbors.cities.name&rel[neighbors.cities][sort]=-lat&rel[neighbors.cities][page][size]=3",
      },
      graphql: {
        document: `{
  country(id: "LI") {
    name
    neighbors { nodes { name cities(sort: [LAT_DESC], first: 3) { nodes { name } } } }
  }
}`,
      },
    },
    {
      title: "A needle in 170,000 cities",
      text: "Every Paris outside France, with the country it is in.",
      rest: {
        method: "GET",
        path: "/cities?filter[name]=Paris&filter[countryCode][ne]=FR&fields=name,province,country.name&page[size]=5",
      },
      graphql: {
        document: `{
  cities(filter: { name: { eq: "Paris" }, countryCode: { ne: "FR" } }, first: 5) {
    nodes { name province country { name } }
    pageInfo { hasNextPage endCursor }
  }
}`,
      },
    },
    {
      title: "From the far side of a relation",
      text: "Countries that border both France and Germany.",
      rest: {
        method: "GET",
        path: "/countries?filter[and][0][neighbors][some][code]=FR&filter[and][1][neighbors][some][code]=DE&fields=name&sort=name",
      },
      graphql: {
        document: `{
  countries(
    filter: { and: [{ neighbors: { some: { code: { eq: "FR" } } } }, { neighbors: { some: { code: { eq: "DE" } } } }] }
    sort: [NAME_ASC]
  ) { nodes { name } }
}`,
      },
    },
    {
      title: "Write a note",
      text: "Any visitor can write about a city. Leave the text out to see the error.",
      rest: {
        method: "POST",
        path: "/notes",
        body: JSON.stringify({ cityId, by: "REST", text: "Written with curl." }),
      },
      graphql: {
        document: `mutation {
  createNote(input: { cityId: ${cityId}, by: "GraphQL", text: "Written with a mutation." }) {
    id
    createdAt
    city { name country { flag } }
  }
}`,
      },
    },
    {
      title: "See notes live",
      text: "Leave one of these running and write a note in the other style: both streams see every note.",
      rest: { method: "GET", path: "/notes", stream: true },
      graphql: { document: "subscription { noteCreated { by text city { name } } }", stream: true },
    },
  ];
}

function restCurl(base: string, { method, path, body, stream = false }: Omit<RestCall, "curl">): string {
  const url = quote(base + path);
  if (stream) return `curl -gN ${url} -H 'accept: text/event-stream'`;
  if (method === "GET") return `curl -g ${url}`;
  return `curl ${url} -H 'content-type: application/json' -d ${quote(body ?? "{}")}`;
}

// A query can be sent in the URL (GraphQL over HTTP), which keeps the document readable. Other operations need a body.
function graphqlCurl(base: string, { document, stream = false }: Omit<GraphqlCall, "curl">): string {
  const url = `${base}/graphql`;
  if (stream) return `curl -N ${quote(url)} -H 'accept: text/event-stream' ${json(document)}`;
  if (document.startsWith("{")) return `curl ${quote(url)} -G --data-urlencode ${quote(`query=${document}`)}`;
  return `curl ${quote(url)} ${json(document)}`;
}

function json(document: string): string {
  return `-H 'content-type: application/json' -d ${quote(JSON.stringify({ query: document.replaceAll(/\s+/g, " ") }))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
