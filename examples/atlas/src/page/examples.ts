import type { Translate } from "@bifocal/core";

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
  readonly document: string;
  /** Only if REST has no equal request. Otherwise it is the translation of the document. */
  readonly rest?: Omit<RestCall, "curl">;
}

interface ExampleOptions {
  readonly api: { readonly translate: Translate };
  /** The URL of the API. */
  readonly base: string;
  /** Notes are written about this city. */
  readonly cityId: number;
}

/** Returns the examples on the page. */
export function examples({ api, base, cityId }: ExampleOptions): Promise<readonly Example[]> {
  const made = questions(cityId).map(async ({ title, text, document, rest: given }): Promise<Example> => {
    const rest = given ?? (await translateToRest(api, document));
    const graphql = { document, ...(rest.stream === true ? { stream: true } : {}) };
    return {
      title,
      text,
      rest: { ...rest, curl: restCurl(base, rest) },
      graphql: { ...graphql, curl: graphqlCurl(base, graphql) },
    };
  });
  return Promise.all(made);
}

async function translateToRest(
  { translate }: ExampleOptions["api"],
  document: string,
): Promise<Omit<RestCall, "curl">> {
  const [first] = await translate(document);
  if (first === undefined || "reason" in first.rest) throw new Error(`REST has no request for ${document}`);
  const { method, url, body } = first.rest;
  if (method === "GET") return { method, path: url };
  if (method === "POST") return { method, path: url, body: JSON.stringify(body) };
  throw new Error(`The page can't show a ${method} request.`);
}

function questions(cityId: number): readonly Question[] {
  return [
    {
      title: "One country",
      text: "By its key. GraphQL names the fields it wants; REST sends all of them, or those in fields.",
      document: `{ country(id: "CH") { name capitals languages } }`,
    },
    {
      title: "A filter and a sort",
      text: "European countries without a coast, the largest first, counted.",
      document: `{
  countries(filter: { region: { eq: Europe }, landlocked: { eq: true } }, sort: [AREA_DESC]) {
    totalCount
    nodes { name area }
  }
}`,
    },
    {
      title: "Along relations",
      text: "A country, the countries at its borders, and three cities of each from north to south: three reads in all.",
      document: `{
  country(id: "LI") {
    name
    neighbors { nodes { name cities(sort: [LAT_DESC], first: 3) { nodes { name } } } }
  }
}`,
    },
    {
      title: "A needle in 170,000 cities",
      text: "Every Paris outside France, with the country it is in.",
      document: `{
  cities(filter: { name: { eq: "Paris" }, countryCode: { ne: "FR" } }, first: 5) {
    nodes { name province country { name } }
    pageInfo { hasNextPage endCursor }
  }
}`,
    },
    {
      title: "From the far side of a relation",
      text: "Countries that border both France and Germany.",
      document: `{
  countries(
    filter: { and: [{ neighbors: { some: { code: { eq: "FR" } } } }, { neighbors: { some: { code: { eq: "DE" } } } }] }
    sort: [NAME_ASC]
  ) { nodes { name } }
}`,
    },
    {
      title: "Write a note",
      text: "Any visitor can write about a city. Leave the text out to see the error.",
      document: `mutation {
  createNote(input: { cityId: ${cityId}, by: "A visitor", text: "Written with curl." }) {
    id
    createdAt
    city { name country { flag } }
  }
}`,
    },
    {
      title: "See notes live",
      text: "Leave one of these running and write a note in the other style: both streams see every note.",
      // REST has all kinds of changes in one stream, and GraphQL a subscription for each kind.
      rest: { method: "GET", path: "/notes", stream: true },
      document: "subscription { noteCreated { by text city { name } } }",
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
