import type { BookstoreApi } from "@bifocal/example-bookstore/start";

/** A request that should succeed for an admin. */
export interface Recipe {
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const JSON_API = { accept: "application/vnd.api+json", "content-type": "application/vnd.api+json" };

/** Builds valid requests for each route of the bookstore. Creates the rows that a request needs. */
export function createRecipes(api: BookstoreApi) {
  const admin = api.as({ id: "admin", roles: ["admin"] });
  let made = 0;
  const next = (): string => `n${(made += 1)}`;
  const newAuthor = () => ({ name: next(), email: null, bio: null, born: null });
  const author = async (): Promise<string> => (await admin.author.create(newAuthor())).id;
  const newBook = (authorId: string) =>
    ({ title: next(), authorId, genre: "novel", price: 9, publishedAt: "2020-01-01" }) as const;
  const book = async (): Promise<string> => (await admin.book.create(newBook(await author())))?.id as string;
  const newReview = (bookId: string) => ({ bookId, reviewer: "admin", stars: 3, text: null });
  const review = async (): Promise<string> => (await admin.review.create(newReview(await book()))).id;
  const newTag = () => ({ slug: next(), name: next() });
  const tag = async (): Promise<string> => (await admin.tag.create(newTag())).slug;
  const inHarbor = api.as({ id: "admin", roles: ["admin"], claims: { shop: "harbor" } });
  const newSale = async () => ({ bookId: await book(), quantity: 2, total: "18.00" });
  const sale = async (): Promise<string> => (await inHarbor.sale.create(await newSale()))?.id as string;
  const newUser = () => ({ id: next(), name: next(), email: null }) as const;
  const user = async (): Promise<string> => (await admin.user.create(newUser()))?.id as string;
  const linked = async (): Promise<{ readonly bookId: string; readonly slug: string }> => {
    const [bookId, slug] = [await book(), await tag()];
    await admin.book.link(bookId, "tags", slug);
    return { bookId, slug };
  };
  const identifiers = (type: string, id: string) => ({ data: [{ type, id }] });

  const bodies: Readonly<Record<string, () => Promise<Recipe>>> = {
    "POST /authors": async () => ({ path: "/authors", body: newAuthor() }),
    "PUT /authors/{id}": async () => ({ path: `/authors/${await author()}`, body: newAuthor() }),
    "PATCH /authors/{id}": async () => ({ path: `/authors/${await author()}`, body: { name: next() } }),
    "DELETE /authors/{id}": async () => ({ path: `/authors/${await author()}` }),
    "POST /authors/{id}/books": async () => {
      const { authorId, ...rest } = newBook(await author());
      return { path: `/authors/${authorId}/books`, body: rest };
    },
    "POST /books": async () => ({ path: "/books", body: newBook(await author()) }),
    "PATCH /books": async () => ({ path: "/books", query: `filter[title]=${next()}`, body: { price: 3 } }),
    "DELETE /books": async () => ({ path: "/books", query: `filter[title]=${next()}` }),
    "POST /books/discount": async () => ({ path: "/books/discount", body: { genre: "poem", percent: 5 } }),
    "GET /books/trending": async () => ({ path: "/books/trending", query: "year=2020" }),
    "HEAD /books/trending": async () => ({ path: "/books/trending", query: "year=2020" }),
    "QUERY /books/trending": async () => ({ path: "/books/trending", body: { year: 2020 } }),
    "PUT /books/{id}": async () => ({ path: `/books/${await book()}`, body: newBook(await author()) }),
    "PATCH /books/{id}": async () => ({ path: `/books/${await book()}`, body: { price: 4 } }),
    "DELETE /books/{id}": async () => ({ path: `/books/${await book()}` }),
    "POST /books/{id}/reviews": async () => {
      const { bookId, ...rest } = newReview(await book());
      return { path: `/books/${bookId}/reviews`, body: rest };
    },
    "POST /books/{id}/publish": async () => ({ path: `/books/${await book()}/publish`, body: { at: "2021-01-01" } }),
    "PUT /books/{id}/tags/{tagId}": async () => ({ path: `/books/${await book()}/tags/${await tag()}` }),
    "DELETE /books/{id}/tags/{tagId}": async () => {
      const { bookId, slug } = await linked();
      return { path: `/books/${bookId}/tags/${slug}` };
    },
    "PATCH /books/{id}/relationships/author": async () => ({
      path: `/books/${await book()}/relationships/author`,
      headers: JSON_API,
      body: { data: { type: "authors", id: await author() } },
    }),
    "PATCH /books/{id}/relationships/tags": async () => ({
      path: `/books/${await book()}/relationships/tags`,
      headers: JSON_API,
      body: identifiers("tags", await tag()),
    }),
    "POST /books/{id}/relationships/tags": async () => ({
      path: `/books/${await book()}/relationships/tags`,
      headers: JSON_API,
      body: identifiers("tags", await tag()),
    }),
    "DELETE /books/{id}/relationships/tags": async () => {
      const { bookId, slug } = await linked();
      return { path: `/books/${bookId}/relationships/tags`, headers: JSON_API, body: identifiers("tags", slug) };
    },
    "POST /reviews": async () => ({ path: "/reviews", body: newReview(await book()) }),
    "PUT /reviews/{id}": async () => ({ path: `/reviews/${await review()}`, body: newReview(await book()) }),
    "PATCH /reviews/{id}": async () => ({ path: `/reviews/${await review()}`, body: { stars: 4 } }),
    "DELETE /reviews/{id}": async () => ({ path: `/reviews/${await review()}` }),
    "POST /reviews/{id}/restore": async () => {
      const id = await review();
      await admin.review.delete(id);
      return { path: `/reviews/${id}/restore` };
    },
    "PATCH /reviews/{id}/relationships/book": async () => ({
      path: `/reviews/${await review()}/relationships/book`,
      headers: JSON_API,
      body: { data: { type: "books", id: await book() } },
    }),
    "POST /tags": async () => ({ path: "/tags", body: newTag() }),
    "PUT /tags/{id}": async () => ({ path: `/tags/${await tag()}`, body: { name: next() } }),
    "PATCH /tags/{id}": async () => ({ path: `/tags/${await tag()}`, body: { name: next() } }),
    "DELETE /tags/{id}": async () => ({ path: `/tags/${await tag()}` }),
    "PUT /tags/{id}/books/{bookId}": async () => ({ path: `/tags/${await tag()}/books/${await book()}` }),
    "DELETE /tags/{id}/books/{bookId}": async () => {
      const { bookId, slug } = await linked();
      return { path: `/tags/${slug}/books/${bookId}` };
    },
    "POST /tags/{id}/relationships/books": async () => ({
      path: `/tags/${await tag()}/relationships/books`,
      headers: JSON_API,
      body: identifiers("books", await book()),
    }),
    "DELETE /tags/{id}/relationships/books": async () => {
      const { bookId, slug } = await linked();
      return { path: `/tags/${slug}/relationships/books`, headers: JSON_API, body: identifiers("books", bookId) };
    },
    "POST /sales": async () => ({ path: "/sales", body: await newSale() }),
    "PATCH /sales/{id}": async () => ({ path: `/sales/${await sale()}`, body: { quantity: 3 } }),
    "PATCH /sales/{id}/relationships/book": async () => ({
      path: `/sales/${await sale()}/relationships/book`,
      headers: JSON_API,
      body: { data: { type: "books", id: await book() } },
    }),
    "PATCH /users/{id}/relationships/shop": async () => ({
      path: `/users/${await user()}/relationships/shop`,
      headers: JSON_API,
      body: { data: { type: "shops", id: "harbor" } },
    }),
    "POST /users": async () => ({ path: "/users", body: newUser() }),
    "PUT /users/{id}": async () => ({
      path: `/users/${await user()}`,
      body: { name: next(), email: null, role: "reader", shopId: null, active: true },
    }),
    "PATCH /users/{id}": async () => ({ path: `/users/${await user()}`, body: { name: next() } }),
    "DELETE /users/{id}": async () => ({ path: `/users/${await user()}` }),
    "POST /users/{id}/token": async () => ({ path: "/users/admin/token" }),
    "GET /graphql": async () => ({ path: "/graphql", query: `query=${encodeURIComponent("{ tags { totalCount } }")}` }),
    "POST /graphql": async () => ({
      path: "/graphql",
      body: {
        query: "mutation ($input: CreateAuthorInput!) { createAuthor(input: $input) { id name books { totalCount } } }",
        variables: { input: newAuthor() },
      },
    }),
    // Reserves an event stream.
    "POST /-/translate": async () => ({ path: "/-/translate", body: { request: "GET /tags" } }),
    ...Object.fromEntries(
      ["GET", "HEAD", "OPTIONS"].map((method) => [
        `${method} /-/schema/{resource}`,
        async () => ({ path: "/-/schema/books" }),
      ]),
    ),
    "PUT /graphql": async () => ({ path: "/graphql" }),
  };

  /** The rows for the `{id}` of a route. */
  const ids: Readonly<Record<string, () => Promise<string>>> = {
    authors: author,
    books: book,
    reviews: review,
    tags: tag,
    sales: sale,
    shops: async () => "harbor",
    users: user,
  };

  /** Returns a valid request, or undefined if no caller can send one. */
  return async (method: string, route: string): Promise<Recipe | undefined> => {
    const known = bodies[`${method} ${route}`];
    if (known !== undefined) return known();
    if (!["GET", "HEAD", "QUERY", "OPTIONS"].includes(method)) return undefined;
    const [, first = ""] = route.split("/");
    const path = route
      .replace("{id}", route.includes("{id}") ? ((await ids[first]?.()) ?? "none") : "")
      .replaceAll(/\{\w+\}/g, "other");
    const isLinkage = route.includes("/relationships/") && method !== "OPTIONS";
    return {
      path,
      ...(isLinkage ? { headers: { accept: "application/vnd.api+json" } } : {}),
      ...(method === "QUERY" ? { body: { page: { size: 2 } } } : {}),
    };
  };
}
