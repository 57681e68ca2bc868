import { createRequire } from "node:module";
import { ADMIN } from "./bookstore.ts";
import type { Judge } from "./judge.ts";

interface Validator {
  validate(document: unknown): void;
}
const { Validator: JsonApiValidator } = createRequire(import.meta.url)("jsonapi-validator") as {
  readonly Validator: new () => Validator;
};

export const jsonApi: Judge = {
  name: "jsonapi-validator accepts every document",
  async run({ url }) {
    const validator = new JsonApiValidator();
    const headers = { accept: "application/vnd.api+json", authorization: `Bearer ${ADMIN}` };
    const paths = [
      "/books",
      "/books?include=author,reviews,tags&count=true&page[size]=3",
      "/books/b0000000-0000-4000-8000-000000000001?include=author.books",
      "/authors/a0000000-0000-4000-8000-000000000001/books",
      "/books/b0000000-0000-4000-8000-000000000001/author",
      "/books?fields[books]=title,author&include=author&fields[authors]=name",
      "/books/b0000000-0000-4000-8000-000000000001/relationships/author",
      "/books/b0000000-0000-4000-8000-000000000001/relationships/tags?page[size]=1&count=true",
      "/authors/a0000000-0000-4000-8000-000000000001/relationships/books?page[size]=2",
      "/tags",
      "/books/none",
      "/books?nothing=1",
    ];
    for (const path of paths) {
      const document: unknown = await (await fetch(url + path, { headers })).json();
      try {
        validator.validate(document);
      } catch (thrown) {
        throw new Error(`${path}: ${JSON.stringify((thrown as { errors?: unknown }).errors ?? String(thrown))}`);
      }
    }
  },
};
