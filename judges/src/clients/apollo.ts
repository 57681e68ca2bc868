import { createHash } from "node:crypto";
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { OperationTypeNode, print } from "graphql";
import { createClient as createSseClient } from "graphql-sse";
import { createClient as createWsClient } from "graphql-ws";
import { Observable } from "rxjs";
import { authorization, type Client, type Connection, failed, socketUrl, told } from "./client.ts";

export interface Linked {
  readonly link: ApolloLink;
  readonly close: () => void;
}

/** Follows the example in graphql-sse's documentation. */
function sseLink({ url, key, fetch: fetchFn = fetch }: Connection, singleConnection: boolean): Linked {
  const client = createSseClient({ url, singleConnection, headers: authorization(key), fetchFn, retryAttempts: 0 });
  const link = new ApolloLink(
    ({ query, operationName, variables }) =>
      new Observable<ApolloLink.Result>((observer) =>
        client.subscribe(
          { query: print(query), variables, ...(operationName === undefined ? {} : { operationName }) },
          {
            next: (result) => observer.next(result as ApolloLink.Result),
            error: (error) => observer.error(error),
            complete: () => observer.complete(),
          },
        ),
      ),
  );
  return { link, close: () => client.dispose() };
}

function socketLink({ url, key }: Connection): Linked {
  const client = createWsClient({
    url: socketUrl(url),
    connectionParams: authorization(key),
    retryAttempts: 0,
  });
  return { link: new GraphQLWsLink(client), close: () => void client.dispose() };
}

function httpLink({ url, key, fetch: fetchFn = fetch }: Connection): ApolloLink {
  return new HttpLink({ uri: url, headers: authorization(key), fetch: fetchFn });
}

/** Sends queries by GET, and hashes instead of texts. */
function persistedLink(connection: Connection): ApolloLink {
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  return new PersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(httpLink(connection));
}

function split({ link, close }: Linked, others: ApolloLink): Linked {
  const isSubscription = ({ operationType }: ApolloLink.Operation) => operationType === OperationTypeNode.SUBSCRIPTION;
  return { link: ApolloLink.split(isSubscription, link, others), close };
}

export function postAndSocket(connection: Connection): Linked {
  return split(socketLink(connection), httpLink(connection));
}

const LINKS = {
  "by POST, subscriptions over event streams": (connection) => split(sseLink(connection, false), httpLink(connection)),
  "by GET and hashes, subscriptions over WebSocket": (connection) =>
    split(socketLink(connection), persistedLink(connection)),
  "over WebSocket (graphql-ws)": socketLink,
  "over an event stream each (graphql-sse)": (connection) => sseLink(connection, false),
  "over one event stream (graphql-sse)": (connection) => sseLink(connection, true),
} as const satisfies Readonly<Record<string, (connection: Connection) => Linked>>;

function toldOf({ data, error }: { readonly data?: unknown; readonly error?: unknown }) {
  if (error === undefined) return told(data);
  return CombinedGraphQLErrors.is(error) ? told(data, error.errors) : failed(error);
}

function connect(connect: (connection: Connection) => Linked): (connection: Connection) => Client {
  return (connection) => {
    const { link, close } = connect(connection);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const errorPolicy = "all";
    return {
      async ask({ document, variables = {} }) {
        const parsed = gql(document);
        try {
          return toldOf(
            document.startsWith("mutation")
              ? await client.mutate({ mutation: parsed, variables, errorPolicy })
              : await client.query({ query: parsed, variables, errorPolicy, fetchPolicy: "network-only" }),
          );
        } catch (error) {
          return toldOf({ error });
        }
      },
      subscribe({ document, variables = {} }, next) {
        const subscription = client
          .subscribe({ query: gql(document), variables, errorPolicy })
          .subscribe({ next: (result) => next(toldOf(result)), error: (error: unknown) => next(toldOf({ error })) });
        return () => subscription.unsubscribe();
      },
      close() {
        client.stop();
        close();
      },
    };
  };
}

export const APOLLO: Readonly<Record<string, (connection: Connection) => Client>> = Object.fromEntries(
  Object.entries(LINKS).map(([name, link]) => [`Apollo Client ${name}`, connect(link)]),
);
