import { openTelemetry } from "@bifocal/opentelemetry";
import { beforeEach, describe, expect, test } from "vitest";
import { onEachAdapter, type Role, send } from "../bookstore/stores.ts";
import { document, operation, rows, server, store, transaction } from "./expected.ts";
import { type SpanTree, startSdk } from "./sdk.ts";

const sdk = startSdk();
const EMMA = "b0000000-0000-4000-8000-000000000001";
const NOBODY = "b0000000-0000-4000-8000-00000000ffff";
const LEM = "a0000000-0000-4000-8000-000000000003";
const SOLARIS = { title: "Solaris", authorId: LEM, genre: "novel", price: 12, publishedAt: "1961-01-01" };

/** A request with its spans. */
interface Case {
  /** `GET /books` */
  readonly asked: string;
  readonly as?: Role;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly traced: (base: string) => SpanTree;
}

const failed = (code: string) => ({ "error.type": code });
/** Reads the average of the reviews of a written book. */
const readStars = (count: number): SpanTree => store("byKeys", "book", count);
const getEmma = operation("get", "book", rows(1), [store("byKeys", "book", 1)]);

const rest: readonly Case[] = [
  {
    asked: `GET /books/${EMMA}`,
    traced: (base) => server(base, "GET", "/books/{id}", [`/books/${EMMA}`, 200], [getEmma]),
  },
  {
    asked: `HEAD /books/${EMMA}`,
    traced: (base) => server(base, "HEAD", "/books/{id}", [`/books/${EMMA}`, 200], [getEmma]),
  },
  {
    asked: "GET /books?filter[price][gte]=10&include=author,reviews&count=true&page[size]=2",
    traced: (base) =>
      server(
        base,
        "GET",
        "/books",
        ["/books", 200],
        [
          operation("list", "book", rows(2), [
            store("list", "book", 2),
            store("byKeys", "author", 1),
            store("listPer", "review", 2),
          ]),
        ],
      ),
  },
  {
    asked: `GET /authors/${LEM}/books?page[size]=2`,
    traced: (base) =>
      server(
        base,
        "GET",
        "/authors/{id}/books",
        [`/authors/${LEM}/books`, 200],
        [operation("get", "author", rows(1), [store("byKeys", "author", 1), store("listPer", "book", 2)])],
      ),
  },
  {
    asked: "POST /books",
    as: "editor",
    body: SOLARIS,
    traced: (base) =>
      server(
        base,
        "POST",
        "/books",
        ["/books", 201],
        [
          operation("create", "book", rows(1), [
            store("byKeys", "author", 1),
            store("insert", "book", 1),
            readStars(1),
          ]),
        ],
      ),
  },
  {
    asked: "POST /books",
    as: "editor",
    body: [SOLARIS, SOLARIS],
    traced: (base) => {
      const one = [store("byKeys", "author", 1), store("insert", "book", 1)];
      const many = operation("createMany", "book", rows(2), [transaction([...one, ...one]), readStars(2)]);
      return server(base, "POST", "/books", ["/books", 201], [many]);
    },
  },
  {
    asked: `PATCH /books/${EMMA}`,
    as: "editor",
    body: { price: 12 },
    traced: (base) =>
      server(
        base,
        "PATCH",
        "/books/{id}",
        [`/books/${EMMA}`, 200],
        [operation("update", "book", rows(1), [store("update", "book", 1), readStars(1)])],
      ),
  },
  {
    asked: `POST /books/${EMMA}/publish`,
    as: "editor",
    body: { at: "1815-12-23" },
    traced: (base) => {
      const read = store("byKeys", "book", 1);
      return server(
        base,
        "POST",
        "/books/{id}/publish",
        [`/books/${EMMA}/publish`, 200],
        [
          operation("act", "book", { "bifocal.action": "publish", ...rows(1) }, [
            transaction([read, read, store("update", "book", 1)]),
            read,
            readStars(1),
          ]),
        ],
      );
    },
  },
  {
    asked: `PUT /books/${EMMA}/tags/none`,
    as: "editor",
    traced: (base) =>
      server(
        base,
        "PUT",
        "/books/{id}/tags/{tagId}",
        [`/books/${EMMA}/tags/none`, 404],
        [
          operation("link", "book", { "bifocal.relation": "tags", ...failed("NOT_FOUND") }, [
            transaction([store("byKeys", "book", 1), store("byKeys", "tag", 0)], failed("NOT_FOUND")),
          ]),
        ],
      ),
  },
  {
    asked: `GET /books/${NOBODY}`,
    traced: (base) =>
      server(
        base,
        "GET",
        "/books/{id}",
        [`/books/${NOBODY}`, 404],
        [operation("get", "book", failed("NOT_FOUND"), [store("byKeys", "book", 0)])],
      ),
  },
  {
    asked: "POST /books",
    body: SOLARIS,
    traced: (base) =>
      server(base, "POST", "/books", ["/books", 401], [operation("create", "book", failed("UNAUTHENTICATED"))]),
  },
  {
    asked: "POST /books",
    as: "editor",
    body: { ...SOLARIS, title: "" },
    traced: (base) =>
      server(base, "POST", "/books", ["/books", 422], [operation("create", "book", failed("VALIDATION_FAILED"))]),
  },
  {
    asked: "GET /books?nothing=1",
    traced: (base) => server(base, "GET", "/books", ["/books", 400]),
  },
  {
    asked: "DELETE /authors",
    traced: (base) => server(base, "DELETE", "/authors", ["/authors", 405]),
  },
  {
    asked: "GET /books/a/b",
    traced: (base) => server(base, "GET", undefined, ["/books/a/b", 404]),
  },
  {
    asked: "GET /openapi.json",
    traced: (base) => server(base, "GET", "/openapi.json", ["/openapi.json", 200]),
  },
  {
    asked: "GET /tags",
    headers: { accept: "application/x-ndjson" },
    traced: (base) =>
      server(base, "GET", "/tags", ["/tags", 200], [operation("list", "tag", rows(5), [store("list", "tag", 5)])]),
  },
];

const SHOP = `query Shop($size: Int) { books(first: $size, filter: { title: { eq: "Emma" } }) { nodes { title author { name } } } tags { nodes { slug } } }`;

const graphql: readonly Case[] = [
  {
    asked: "POST /graphql",
    body: { query: SHOP, operationName: "Shop", variables: { size: 2 } },
    traced: (base) =>
      server(
        base,
        "POST",
        "/graphql",
        ["/graphql", 200],
        [
          document("query", { "graphql.operation.name": "Shop", "graphql.document": PRINTED_SHOP }, [
            operation("list", "book", rows(1), [store("list", "book", 1), store("byKeys", "author", 1)]),
            operation("list", "tag", rows(5), [store("list", "tag", 5)]),
          ]),
        ],
      ),
  },
  {
    asked: `GET /graphql?query={book(id:"${EMMA}"){title}}`,
    traced: (base) => {
      const printed = '{\n  book(id: "") {\n    title\n  }\n}';
      const query = document("query", { "graphql.document": printed }, [getEmma]);
      return server(base, "GET", "/graphql", ["/graphql", 200], [query]);
    },
  },
  {
    asked: "POST /graphql",
    as: "admin",
    body: {
      query: `mutation { updateBook(id: "${EMMA}", input: { price: 3 }) { price } deleteTag(id: "none") { deleted } }`,
    },
    traced: (base) =>
      server(
        base,
        "POST",
        "/graphql",
        ["/graphql", 200],
        [
          document("mutation", { "graphql.document": PRINTED_MUTATION, ...failed("NOT_FOUND") }, [
            operation("update", "book", rows(1), [store("update", "book", 1)]),
            operation("delete", "tag", failed("NOT_FOUND"), [
              transaction([store("byKeys", "tag", 0), store("byKeys", "tag", 0)], failed("NOT_FOUND")),
            ]),
          ]),
        ],
      ),
  },
  {
    asked: "POST /graphql",
    body: { query: 'mutation { deleteTag(id: "none") { deleted } }' },
    traced: (base) => {
      const printed = 'mutation {\n  deleteTag(id: "") {\n    deleted\n  }\n}';
      return server(
        base,
        "POST",
        "/graphql",
        ["/graphql", 200],
        [
          document("mutation", { "graphql.document": printed, ...failed("UNAUTHENTICATED") }, [
            operation("delete", "tag", failed("UNAUTHENTICATED")),
          ]),
        ],
      );
    },
  },
  {
    asked: "POST /graphql",
    body: { query: "{ nothing }" },
    headers: { accept: "application/graphql-response+json" },
    traced: (base) => server(base, "POST", "/graphql", ["/graphql", 400]),
  },
];

const PRINTED_SHOP = `query Shop($size: Int) {
  books(first: $size, filter: {  }) {
    nodes {
      title
      author {
        name
      }
    }
  }
  tags {
    nodes {
      slug
    }
  }
}`;
const PRINTED_MUTATION = `mutation {
  updateBook(id: "", input: {  }) {
    price
  }
  deleteTag(id: "") {
    deleted
  }
}`;

onEachAdapter(
  (base) => {
    beforeEach(() => sdk.takeSpans());
    const table = (cases: readonly Case[]): void => {
      test.each(cases.map((one, index) => [`${index}: ${one.asked}`, one] as const))("%s", async (_, one) => {
        const { asked, traced, ...options } = one;
        const [method = "", path = ""] = asked.split(" ");
        await send(base(), method, path, options);
        expect(await sdk.takeTrees()).toEqual([traced(base())]);
      });
    };
    describe("REST", () => {
      table(rest);
    });
    describe("GraphQL", () => {
      table(graphql);
    });

    test("doesn't use operation names of clients as span names", async () => {
      await send(base(), "POST", "/graphql", { body: { query: "query MadeUp { __typename }" } });
      const names = (await sdk.takeSpans()).map(({ name }) => name);
      expect(names.toSorted()).toEqual(["POST /graphql", "query"]);
    });
  },
  { telemetry: openTelemetry({ documents: true }) },
);
