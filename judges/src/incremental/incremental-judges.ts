import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Defer20220824Handler, GraphQL17Alpha9Handler } from "@apollo/client/incremental";
import type { LoneJudge } from "../judge.ts";
import { startProgram } from "../start-program.ts";

const QUERY = gql`
  {
    author(id: 1) {
      id
      name
      ... on Author @defer(label: "books") {
        books(first: 2) { nodes { id title } }
      }
    }
    books(first: 3) { nodes @stream(initialCount: 1) { id title } }
  }
`;

interface State {
  readonly author: { readonly name: string; readonly books?: { readonly nodes: readonly object[] } };
  readonly books: { readonly nodes: readonly { readonly title: string }[] };
}

/** The successive states that a screen would show. */
async function statesOf(url: string, format: keyof typeof HANDLERS): Promise<readonly State[]> {
  const client = new ApolloClient({
    link: new HttpLink({ uri: url }),
    cache: new InMemoryCache(),
    incrementalHandler: HANDLERS[format](),
  });
  const states: State[] = [];
  await new Promise<void>((resolve, reject) => {
    client.watchQuery<State>({ query: QUERY }).subscribe((result) => {
      if (result.error !== undefined) reject(result.error);
      if (result.data !== undefined) states.push(structuredClone(result.data) as State);
      if (result.dataState === "complete") resolve();
    });
  });
  client.stop();
  return states;
}

const HANDLERS = {
  "ids (graphql 17)": () => new GraphQL17Alpha9Handler(),
  "paths (2022)": () => new Defer20220824Handler(),
} as const;

function judge(format: keyof typeof HANDLERS): LoneJudge {
  return {
    name: `Apollo Client reads @defer and @stream as ${format}`,
    async run() {
      const { url, stop } = await startProgram<"url">(fileURLToPath(new URL("main.ts", import.meta.url)), {});
      try {
        const states = await statesOf(url, format);
        const [first, last] = [states[0], states.at(-1)];
        assert.ok(states.length > 1, "All came at once.");
        assert.equal(first?.author.name, "Author 1");
        assert.equal(first.author.books, undefined);
        assert.equal(first.books.nodes.length, 1);
        assert.equal(last?.author.books?.nodes.length, 2);
        const titles = last.books.nodes.map(({ title }) => title);
        assert.deepEqual(titles, ["Book 1", "Book 2", "Book 3"]);
      } finally {
        stop();
      }
    },
  };
}

export const INCREMENTAL_JUDGES: readonly LoneJudge[] = [judge("ids (graphql 17)"), judge("paths (2022)")];
