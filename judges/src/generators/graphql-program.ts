/**
 * Returns a program that uses a function `graphql`, which types documents.
 *
 * @param head - imports `graphql`
 * @param documentType - the name of the type of documents
 */
export function graphqlProgram(head: string, documentType: string): string {
  return `${head}
import { print } from "graphql";

async function ask<Data, Variables>(document: ${documentType}<Data, Variables>, variables: Variables): Promise<Data> {
  const headers = { "content-type": "application/json", authorization: "Bearer KEY" };
  const body = JSON.stringify({ query: print(document), variables });
  const response = await fetch("URL/graphql", { method: "POST", headers, body });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}
const List = graphql(\`query List($first: Int, $filter: BookFilter) { books(first: $first, filter: $filter, sort: [PRICE_DESC, TITLE_ASC]) { nodes { id title author { name } } } }\`);
const Create = graphql(\`mutation Create($input: CreateBookInput!) { createBook(input: $input) { id } }\`);
const Get = graphql(\`query Get($id: ID!) { book(id: $id) { title price genre } }\`);
const Update = graphql(\`mutation Update($id: ID!, $input: UpdateBookInput!) { updateBook(id: $id, input: $input) { price } }\`);
const Delete = graphql(\`mutation Delete($id: ID!) { deleteBook(id: $id) { deleted } }\`);
const { books } = await ask(List, { first: 2, filter: { author: { name: { startsWith: "Jane" } } } });
const titles: string[] = (books.nodes ?? []).map((node) => node.title);
if (titles.length !== 2) throw new Error("list");
const input = { title: "Generated", authorId: "a0000000-0000-4000-8000-000000000001", genre: "novel", price: 1 } as const;
const { createBook } = await ask(Create, { input });
const id = createBook?.id ?? "";
const { book } = await ask(Get, { id });
if (book?.title !== "Generated" || book.genre !== "novel") throw new Error("get");
const { updateBook } = await ask(Update, { id, input: { price: 2 } });
if (updateBook?.price !== 2) throw new Error("update");
const { deleteBook } = await ask(Delete, { id });
if (!deleteBook.deleted) throw new Error("delete");
// @ts-expect-error The variable is a number.
const wrong = (): unknown => ask(List, { first: "two" });
void wrong;
`;
}
