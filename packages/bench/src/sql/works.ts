import type { Work } from "../works.ts";

const contenders = ["sql-bifocal", "sql-by-hand"];
const rows = (answer: unknown): unknown => answer;
const nested =
  "{ authors(first: 50) { nodes { id name books(first: 10) { nodes { id title author { id name } } } } } }";
/** The same query in the schema that PostGraphile creates from the tables. */
const nestedByTable =
  "{ authors: allAuthors(first: 50) { nodes { id: rowId name books: booksByAuthorId(first: 10) { nodes { id: rowId title author: authorByAuthorId { id: rowId name } } } } } }";
const fields = "id,name,books.id,books.title,books.author.id,books.author.name";

interface NestedAnswer {
  readonly data: { readonly authors: { readonly nodes: readonly unknown[] } };
}

/** Converts ids, which are strings in GraphQL, to numbers. */
function withNumbers({ data }: NestedAnswer): unknown {
  return JSON.parse(JSON.stringify(data, (name, value: unknown) => (name === "id" ? Number(value) : value)));
}

export const sqlWorks: readonly Work[] = [
  {
    name: "D1 GraphQL, 50 authors, their first 10 books, and the author of each",
    path: "/graphql",
    body: JSON.stringify({ query: nested }),
    bodies: { "postgraphile-sql": JSON.stringify({ query: nestedByTable }) },
    contenders: [
      "sql-bifocal",
      "sql-bifocal flat",
      "sql-bifocal one",
      "mercurius-sql",
      "postgraphile-sql",
      "sql-by-hand json",
      "sql-by-hand",
    ],
    rows: 1_000,
    pick: withNumbers,
  },
  {
    name: "D1 REST, 50 authors, their first 10 books, and the author of each",
    path: `/authors?page[size]=50&fields=${fields}&rel[books][page][size]=10`,
    contenders,
    rows: 1_000,
    pick: rows,
  },
  { name: "REST item by key", path: "/books/$N", contenders, pick: rows },
  {
    name: "REST list of 50, filtered and sorted",
    path: "/books?page[size]=50&filter[year][gte]=1950&sort=-price",
    contenders,
    pick: rows,
  },
];
