import { ADMIN } from "../bookstore.ts";

/** An author that only one judge uses, with two books. */
export interface Shelf {
  readonly author: string;
  /** Ids of "First", with price 10, and "Second", with price 20. */
  readonly books: readonly [string, string];
  /** Sets the price of the first book. */
  readonly reprice: (price: number) => Promise<void>;
  readonly clear: () => Promise<void>;
}

export async function fillShelf(url: string): Promise<Shelf> {
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { readonly id: string }).id;
  };
  const author = await send("POST", "/authors", { name: "Writer", email: "writer@example.com", bio: null, born: null });
  const add = (title: string, price: number): Promise<string> =>
    send("POST", "/books", { title, price, authorId: author, genre: "novel", publishedAt: "2000-01-01" });
  const books = [await add("First", 10), await add("Second", 20)] as const;
  return {
    author,
    books,
    reprice: async (price) => void (await send("PATCH", `/books/${books[0]}`, { price })),
    async clear() {
      for (const id of books) await send("DELETE", `/books/${id}`);
      await send("DELETE", `/authors/${author}`);
    },
  };
}
