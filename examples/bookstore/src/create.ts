import {
  apiKeyResource,
  apiKeys,
  createApiKey,
  defineApi,
  type LimitOptions,
  memoryStore,
  type Store,
  type Telemetry,
} from "@bifocal/core";
import { apiConsole } from "@bifocal/console";
import { fillStore } from "@bifocal/core/store";
import { graphiql } from "@bifocal/graphiql";
import { scalar } from "@bifocal/scalar";
import { type Keys, makeKeys, principals } from "./keys.ts";
import { author } from "./resources/author.ts";
import { book } from "./resources/book.ts";
import { review } from "./resources/review.ts";
import { sale } from "./resources/sale.ts";
import { shop } from "./resources/shop.ts";
import { tag } from "./resources/tag.ts";
import { createUser } from "./resources/user.ts";
import { seedByHand } from "./seed/by-hand.ts";
import { parseSeed } from "./seed/generated.ts";
import { acceptTokensOf, type AuthorizationServer, createSignIn } from "./sign-in.ts";

export interface BookstoreOptions {
  /** Default: new keys. */
  readonly keys?: Keys | undefined;
  /** `1000x100` means a thousand books by a hundred authors. Default: the small data set. */
  readonly seed?: string | undefined;
  /** Stores the rows, and is filled if it is empty. Default: in memory. */
  readonly store?: Store | undefined;
  /** Signs cursors. Instances that share clients need the same secret. Default: new at every start. */
  readonly secret?: string | undefined;
  /**
   * The authorization server for readers. Default: none, so that only the bookstore's own keys and tokens are valid.
   */
  readonly authorizationServer?: AuthorizationServer | undefined;
  /** Default: those of Bifocal. */
  readonly limits?: LimitOptions;
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

/** Creates the bookstore's API, without a server. */
export function createBookstore(options: BookstoreOptions = {}) {
  const { keys = makeKeys(), authorizationServer, limits = {}, telemetry, serverTiming = false } = options;
  // The page shows a key only if it was made for this start. A configured key stays secret.
  const prefilled = options.keys === undefined ? { headers: { Authorization: `Bearer ${keys["admin"]}` } } : {};
  const data = options.seed === undefined ? seedByHand() : parseSeed(options.seed);
  const store = options.store ?? memoryStore({ data });
  const { auth, issueToken } = createSignIn();
  const user = createUser(issueToken);
  const api = defineApi({
    info: {
      title: "Bookstore",
      version: "1.0.0",
      description: "A chain of bookshops with books, authors, reviews, tags and sales.",
      contact: { name: "The bookshop", url: "https://bookstore.example/contact" },
      license: { name: "MIT", identifier: "MIT" },
    },
    resources: [author, book, review, tag, shop, sale, user, apiKeyResource()],
    store,
    limits,
    telemetry,
    serverTiming,
    ...(options.secret === undefined ? {} : { secret: options.secret }),
    // The authorization server comes last, so it never receives keys and tokens of the bookstore.
    auth: [
      ...auth,
      apiKeys(principals(keys)),
      ...(authorizationServer === undefined ? [] : [acceptTokensOf(authorizationServer)]),
    ],
    // This is a demo, so it is open in production too.
    introspection: true,
    developerPages: true,
    docs: scalar(),
    console: apiConsole(),
    graphql: { persisted: { automatic: true }, graphiql: graphiql({ query: QUERY, ...prefilled }) },
  });
  /** Fills a given store if it is empty. */
  const fill = async (): Promise<void> => {
    await api.ready;
    if (options.store !== undefined) await fillStore(store, api.model, data);
  };
  /** Creates an API key, which is stored as a hash. It is valid until it expires or the user is deactivated. */
  const issueKey = async (principalId: string, name: string): Promise<string> =>
    (await createApiKey(api, { principalId, name })).key;
  return { api, keys, fill, issueKey };
}

export type BookstoreApi = ReturnType<typeof createBookstore>["api"];
