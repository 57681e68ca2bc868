/** A Relay application over the library: a list with more pages, a fragment that is refetched, and rows by id. */
export const APPLICATION = `
import { graphql } from "react-relay";

graphql\`
  query AppQuery($first: Int!) {
    ...AppAuthors @arguments(first: $first)
  }
\`;
graphql\`
  fragment AppAuthors on Query @argumentDefinitions(first: { type: "Int!" }, after: { type: "String" }) @refetchable(queryName: "AppAuthorsPage") {
    authors(first: $first, after: $after) @connection(key: "App_authors") {
      edges { node { id name ...AppBooks } }
    }
  }
\`;
graphql\`
  fragment AppBooks on Author @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" }) @refetchable(queryName: "AppBooksPage") {
    books(first: $count, after: $cursor, sort: [TITLE_ASC], filter: { title: { startsWith: "Book" } })
      @connection(key: "App_books", filters: ["sort"]) {
      edges { cursor node { id title } }
      pageInfo { hasNextPage endCursor }
    }
  }
\`;
graphql\`
  query AppNodesQuery($ids: [ID!]!, $id: ID!) {
    nodes(ids: $ids) { __typename id ... on Book { title } ... on Author { name } }
    node(id: $id) { ...AppBook @alias(as: "book") }
  }
\`;
graphql\`
  fragment AppBook on Book @refetchable(queryName: "AppBookAgain") { title soldOn author { name } }
\`;
graphql\`
  mutation AppRenameMutation($id: ID!, $title: String!) {
    updateBook(id: $id, input: { title: $title }) { id title }
  }
\`;
graphql\`
  subscription AppBookSubscription { bookUpdated { id title } }
\`;
`;
