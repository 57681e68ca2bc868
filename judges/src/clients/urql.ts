import {
  type AnyVariables,
  cacheExchange,
  Client as UrqlClient,
  type Exchange,
  fetchExchange,
  type OperationResult,
  subscriptionExchange,
} from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";
import { createClient as createWsClient } from "graphql-ws";
import { authorization, type Client, type Connection, failed, socketUrl, told, type Told } from "./client.ts";

interface Made {
  readonly client: UrqlClient;
  readonly close?: () => void;
}

function make(
  { url, key, fetch: fetchFn = fetch }: Connection,
  exchanges: readonly Exchange[],
  preferGetMethod: boolean,
): UrqlClient {
  return new UrqlClient({
    url,
    fetch: fetchFn,
    fetchOptions: { headers: authorization(key) },
    preferGetMethod,
    // Subscriptions that no earlier exchange handles use server-sent events.
    fetchSubscriptions: true,
    exchanges: [cacheExchange, ...exchanges, fetchExchange],
  });
}

function overSocket(connection: Connection): Made {
  const socket = createWsClient({
    url: socketUrl(connection.url),
    connectionParams: authorization(connection.key),
    retryAttempts: 0,
  });
  const exchange = subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: ({ query = "", variables, operationName }) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe(
          { query, variables: variables as Record<string, unknown>, operationName },
          sink as never,
        ),
      }),
    }),
  });
  return { client: make(connection, [exchange], false), close: () => void socket.dispose() };
}

export function urqlByPost(connection: Connection): UrqlClient {
  return make(connection, [], false);
}

export function urqlByHash(connection: Connection): UrqlClient {
  return make(connection, [persistedExchange({ preferGetForPersistedQueries: true })], true);
}

const CLIENTS = {
  "by POST, subscriptions over event streams": (connection) => ({ client: urqlByPost(connection) }),
  "by GET": (connection) => ({ client: make(connection, [], true) }),
  "by GET and hashes": (connection) => ({ client: urqlByHash(connection) }),
  "over WebSocket (graphql-ws)": overSocket,
} as const satisfies Readonly<Record<string, (connection: Connection) => Made>>;

function toldOf({ data, error }: OperationResult<unknown, AnyVariables>): Told {
  if (error === undefined) return told(data);
  return error.networkError === undefined ? told(data, error.graphQLErrors) : failed(error.networkError);
}

function connect(making: (connection: Connection) => Made): (connection: Connection) => Client {
  return (connection) => {
    const { client, close } = making(connection);
    return {
      async ask({ document, variables = {} }) {
        const source = document.startsWith("mutation")
          ? client.mutation<unknown>(document, variables)
          : client.query<unknown>(document, variables, { requestPolicy: "network-only" });
        return toldOf(await source.toPromise());
      },
      subscribe: ({ document, variables = {} }, next) =>
        client.subscription<unknown>(document, variables).subscribe((result) => next(toldOf(result))).unsubscribe,
      close: () => close?.(),
    };
  };
}

export const URQL: Readonly<Record<string, (connection: Connection) => Client>> = Object.fromEntries(
  Object.entries(CLIENTS).map(([name, making]) => [`urql ${name}`, connect(making)]),
);
