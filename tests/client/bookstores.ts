import { type ClientOptions, createClient, graphqlLens, type Lens, restLens } from "@bifocal/client";
import type { BookstoreApi } from "@bifocal/example-bookstore/start";

/** Demo keys of callers. */
export const KEYS = {
  reader: "reader-key-for-tests",
  "reader:ben": "ben-key-for-tests",
  "author:ursula": "ursula-key-for-tests",
  editor: "editor-key-for-tests",
  admin: "admin-key-for-tests",
} as const;
export type Caller = keyof typeof KEYS;

export const LENSES = { REST: restLens, GraphQL: graphqlLens } as const satisfies Record<string, () => Lens>;

/** Returns the client of a caller. Without one, it is anonymous. */
export type Connect = (as?: Caller, options?: Partial<ClientOptions>) => ReturnType<typeof connectTo>;

function connectTo(options: ClientOptions) {
  return createClient<BookstoreApi>(options);
}

/** Returns a function that connects clients to the bookstore at a URL. */
export function connector(url: () => string, lens: () => Lens): Connect {
  return (as, options) =>
    connectTo({
      url: url(),
      lens: lens(),
      ...(as === undefined ? {} : { headers: { authorization: `Bearer ${KEYS[as]}` } }),
      ...options,
    });
}

/** The ids of rows in the small data set. */
export const seeded = {
  author: (number: number): string => `a0000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  book: (number: number): string => `b0000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  review: (number: number): string => `c0000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
};

export const AUSTEN: string = seeded.author(1);
export const LEM: string = seeded.author(3);
export const EMMA: string = seeded.book(1);
export const DRAFT: string = seeded.book(12);

/** The input of a new book. */
export const EDEN = { title: "Eden", authorId: LEM, genre: "novel", price: 9, publishedAt: "1959-01-01" } as const;
