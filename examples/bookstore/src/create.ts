import {
  apiKeyResource,
  apiKeys,
  createApiKey,
  defineApi,
  memoryStore,
  type Store,
  type Telemetry,
} from "@bifocal/core";
import { fillStore } from "@bifocal/core/store";
import { graphiql } from "@bifocal/graphiql";
import { swaggerUi } from "@bifocal/swagger-ui";
import { type Keys, makeKeys, principals } from "./keys.ts";
import { author } from "./resources/author.ts";
import { book } from "./resources/book.ts";
import { review } from "./resources/review.ts";
import { tag } from "./resources/tag.ts";
import { createUser } from "./resources/user.ts";
import { seedByHand } from "./seed/by-hand.ts";
import { parseSeed } from "./seed/generated.ts";
import { acceptTokensOf, type AuthorizationServer, createSignIn } from "./sign-in.ts";

export interface BookstoreOptions {
  /** Default: new ones. */
  readonly keys?: Keys | undefined;
  /** `1000x100`: a thousand books by a hundred authors. Default: the small data set. */
  readonly seed?: string | undefined;
  /** Where the rows are; it is filled where it is empty. Default: in memory. */
  readonly store?: Store | undefined;
  /** Signs cursors. Instances that share clients need the same secret. Default: new at every start. */
  readonly secret?: string | undefined;
  /** Where readers sign in. Default: only keys and tokens of the bookstore itself. */
  readonly authorizationServer?: AuthorizationServer | undefined;
  /** Receives telemetry, such as `openTelemetry()`. Default: none. */
  readonly telemetry?: Telemetry | undefined;
  /** Whether responses state how long their parts took. Default: no. */
  readonly serverTiming?: boolean | "public";
}

const QUERY = `{
  books(filter: { price: { lt: 15 } }, sort: [PRICE_DESC], first: 5) {
    totalCount
    nodes { id title price author { name } }
  }
}
`;

/** The bookstore's API, mounted nowhere yet. */
export function createBookstore(options: BookstoreOptions = {}) {
  const { keys = makeKeys(), authorizationServer, telemetry, serverTiming = false } = options;
  // The page shows a key only if it was made for this start. A configured key stays secret.
  const prefilled = options.keys === undefined ? { headers: { Authorization: `Bearer ${keys["admin"]}` } } : {};
  const data = options.seed === undefined ? seedByHand() : parseSeed(options.seed);
  const store = options.store ?? memoryStore({ data });
  const { auth, issueToken } = createSignIn();
  const user = createUser(issueToken);
  const api = defineApi({
    title: "Bookstore",
    version: "1.0.0",
    description: "A shop of books, their authors, what readers say of them, and tags.",
    contact: { name: "The bookshop", url: "https://bookstore.example/contact" },
    license: { name: "MIT", identifier: "MIT" },
    resources: [author, book, review, tag, user, apiKeyResource()],
    store,
    telemetry,
    serverTiming,
    ...(options.secret === undefined ? {} : { secret: options.secret }),
    // The authorization server comes last, so it never receives keys and tokens of the bookstore.
    auth: [
      ...auth,
      apiKeys(principals(keys)),
      ...(authorizationServer === undefined ? [] : [acceptTokensOf(authorizationServer)]),
    ],
    // A demo is there to be looked at, wherever it runs.
    introspection: true,
    developerPages: true,
    docs: swaggerUi(),
    graphql: { persisted: { automatic: true }, graphiql: graphiql({ query: QUERY, ...prefilled }) },
  });
  /** Puts the books into a store that was given and has none. */
  const fill = async (): Promise<void> => {
    await api.ready;
    if (options.store !== undefined) await fillStore(store, api.model, data);
  };
  /** A key that is kept in the store, as a hash; it is the user's until it ends, or the user is no longer active. */
  const issueKey = async (principalId: string, name: string): Promise<string> =>
    (await createApiKey(api, { principalId, name })).key;
  return { api, keys, fill, issueKey };
}

export type BookstoreApi = ReturnType<typeof createBookstore>["api"];
