import { apiKeys, defineApi, memoryStore, type Telemetry } from "@bifocal/core";
import { graphiql } from "@bifocal/graphiql";
import { swaggerUi } from "@bifocal/swagger-ui";
import { type Keys, makeKeys, principals } from "./keys.ts";
import { author } from "./resources/author.ts";
import { book } from "./resources/book.ts";
import { review } from "./resources/review.ts";
import { tag } from "./resources/tag.ts";
import { seedByHand } from "./seed/by-hand.ts";
import { parseSeed } from "./seed/generated.ts";

export interface BookstoreOptions {
  /** Default: new ones. */
  readonly keys?: Keys | undefined;
  /** `1000x100`: a thousand books by a hundred authors. Default: the small data set. */
  readonly seed?: string | undefined;
  /** What watches it: `openTelemetry()`, say. Default: nothing. */
  readonly telemetry?: Telemetry | undefined;
  /** Whether answers say how long their parts took. Default: no. */
  readonly serverTiming?: boolean | "public";
}

const QUERY = `{
  books(filter: { price: { lt: 15 } }, sort: [PRICE_DESC], first: 5) {
    totalCount
    nodes { id title price author { name } }
  }
}
`;

/** The bookstore's API with its rows in memory, mounted nowhere yet. */
export function createBookstore(options: BookstoreOptions = {}) {
  const { keys = makeKeys(), seed, telemetry, serverTiming = false } = options;
  // A key that was made for this start is a demo's; one that was given is its owner's, and goes to nobody.
  const prefilled = options.keys === undefined ? { headers: { Authorization: `Bearer ${keys["admin"]}` } } : {};
  const api = defineApi({
    title: "Bookstore",
    version: "1.0.0",
    description: "A shop of books, their authors, what readers say of them, and tags.",
    contact: { name: "The bookshop", url: "https://bookstore.example/contact" },
    license: { name: "MIT", identifier: "MIT" },
    resources: [author, book, review, tag],
    store: memoryStore({ data: seed === undefined ? seedByHand() : parseSeed(seed) }),
    telemetry,
    serverTiming,
    auth: apiKeys(principals(keys)),
    docs: swaggerUi(),
    graphql: { persisted: { automatic: true }, graphiql: graphiql({ query: QUERY, ...prefilled }) },
  });
  return { api, keys };
}

export type BookstoreApi = ReturnType<typeof createBookstore>["api"];
