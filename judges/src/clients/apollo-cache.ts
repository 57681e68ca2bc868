import assert from "node:assert/strict";
import { ApolloClient, gql, InMemoryCache } from "@apollo/client";
import { relayStylePagination } from "@apollo/client/utilities";
import { ADMIN } from "../bookstore.ts";
import type { Judge } from "../judge.ts";
import { postAndSocket } from "./apollo.ts";
import { inTime } from "./in-time.ts";
import { fillShelf, type Shelf } from "./shelf.ts";
import { tapWire, type Wire } from "./wire.ts";

interface Books {
  readonly books: {
    readonly edges: readonly {
      readonly node: { readonly id: string; readonly title: string; readonly price: number };
    }[];
    readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
  };
}

const PAGE = gql`
  query Page($author: ID!, $after: String) {
    books(filter: { authorId: { eq: $author } }, sort: [TITLE_ASC], first: 1, after: $after) {
      edges { node { id title price } }
      pageInfo { endCursor hasNextPage }
    }
  }
`;
const BOOK = gql`query Book($id: ID!) { book(id: $id) { id title price } }`;
const REPRICE = gql`mutation Reprice($id: ID!) { updateBook(id: $id, input: { price: 12 }) { id price } }`;
const PRICES = gql`subscription Prices($id: ID!) { bookUpdated(id: $id, initial: true) { id price } }`;

interface Screen {
  readonly client: ApolloClient;
  readonly wire: Wire;
  readonly shelf: Shelf;
}

function cacheJudge(name: string, show: (screen: Screen) => Promise<void>): Judge {
  return {
    name: `Apollo Client's cache: ${name}`,
    async run({ url }) {
      const wire = tapWire();
      const { link, close } = postAndSocket({ url: `${url}/graphql`, key: ADMIN, fetch: wire.fetch });
      const books = relayStylePagination(["filter", "sort"]);
      const cache = new InMemoryCache({ typePolicies: { Query: { fields: { books } } } });
      const client = new ApolloClient({ link, cache });
      const shelf = await fillShelf(url);
      try {
        await show({ client, wire, shelf });
      } finally {
        client.stop();
        close();
        await shelf.clear();
      }
    },
  };
}

/** Shows a page of the shelf and records the prices of its books after each change. */
async function showPage({ client, shelf }: Screen) {
  const page = client.watchQuery<Books>({
    query: PAGE,
    variables: { author: shelf.author },
    notifyOnNetworkStatusChange: false,
  });
  const prices: number[][] = [];
  const moments = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const subscription = page.subscribe(({ data, dataState, error }) => {
    if (error !== undefined) for (const { reject } of moments) reject(error);
    if (dataState !== "complete") return;
    prices.push(data.books.edges.map(({ node }) => node.price));
    moments[prices.length - 1]?.resolve();
  });
  await inTime(moments[0].promise, "a page");
  return {
    page,
    /** Returns the prices of the first and second state. */
    async prices() {
      await inTime(moments[1].promise, `a change of what is shown: ${JSON.stringify(prices)}`);
      subscription.unsubscribe();
      return prices;
    },
  };
}

const byId = cacheJudge("rows are kept by their ids", async ({ client, wire, shelf }) => {
  await client.query({ query: PAGE, variables: { author: shelf.author } });
  await client.query({ query: BOOK, variables: { id: shelf.books[0] } });
  assert.deepEqual(wire.take(), ["POST text", "POST text"]);
  const again = await client.query({ query: BOOK, variables: { id: shelf.books[0] } });
  assert.deepEqual(again.data, { book: { __typename: "Book", id: shelf.books[0], title: "First", price: 10 } });
  assert.deepEqual(wire.take(), []);
  const kept = Object.keys(client.cache.extract() as object).filter((key) => key.startsWith("Book:"));
  assert.deepEqual(kept, [`Book:${shelf.books[0]}`]);
});

const mutated = cacheJudge("a mutation changes what is shown, and nothing is asked again", async (screen) => {
  const { client, wire, shelf } = screen;
  const { prices } = await showPage(screen);
  await client.mutate({ mutation: REPRICE, variables: { id: shelf.books[0] } });
  assert.deepEqual(await prices(), [[10], [12]]);
  assert.deepEqual(wire.take(), ["POST text", "POST text"]);
});

const paged = cacheJudge("pages of a connection become one list", async (screen) => {
  const { page, prices } = await showPage(screen);
  const { pageInfo } = page.getCurrentResult().data?.books as Books["books"];
  assert.equal(pageInfo.hasNextPage, true);
  await page.fetchMore({ variables: { after: pageInfo.endCursor } });
  assert.deepEqual(await prices(), [[10], [10, 20]]);
  assert.equal(page.getCurrentResult().data?.books?.pageInfo?.hasNextPage, false);
});

const told = cacheJudge("an event changes what is shown, and nothing is asked again", async (screen) => {
  const { client, wire, shelf } = screen;
  const { prices } = await showPage(screen);
  let seen = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const events = client.subscribe({ query: PRICES, variables: { id: shelf.books[0] } });
  const subscription = events.subscribe(({ error }) => {
    if (error !== undefined) reject(error);
    else if (++seen === 2) resolve();
    else shelf.reprice(11).catch(reject);
  });
  await inTime(promise, "an event");
  subscription.unsubscribe();
  assert.deepEqual(await prices(), [[10], [11]]);
  assert.deepEqual(wire.take(), ["POST text"]);
});

export const APOLLO_CACHE_JUDGES: readonly Judge[] = [byId, mutated, paged, told];
