import assert from "node:assert/strict";
import Kitsu from "kitsu";
import { ADMIN } from "./bookstore.ts";
import type { Judge } from "./judge.ts";

interface Book {
  readonly id: string;
  readonly title: string;
  readonly price: number;
  readonly author: { readonly data: { readonly name: string } };
}
interface Answered<Data> {
  readonly data: Data;
}

export const kitsu: Judge = {
  name: "kitsu lists, creates, reads, updates and deletes by JSON:API",
  async run({ url }) {
    const api = new Kitsu({ baseURL: url, pluralize: false, headers: { authorization: `Bearer ${ADMIN}` } });
    const filter = { author: { name: { startsWith: "Jane" } } };
    const params = { page: { size: 2 }, sort: "-price,title", include: "author", filter };
    const list = (await api.get("books", { params })) as Answered<readonly Book[]>;
    assert.deepEqual(
      list.data.map(({ author }) => author.data.name),
      ["Jane Austen", "Jane Austen"],
    );
    const author = { data: { type: "authors", id: "a0000000-0000-4000-8000-000000000001" } };
    const given = { title: "By kitsu", genre: "novel", price: 1, author };
    const { id } = ((await api.create("books", given)) as Answered<Book>).data;
    const read = async (): Promise<Book> =>
      ((await api.get(`books/${id}`, { params: { include: "author" } })) as Answered<Book>).data;
    assert.equal((await read()).author.data.name, "Jane Austen");
    const updated = (await api.update("books", { id, price: 2 })) as Answered<Book>;
    assert.equal(updated.data.price, 2);
    await api.delete("books", id);
    await assert.rejects(read(), (error: { errors?: readonly { code: string }[] }) => {
      assert.equal(error.errors?.[0]?.code, "NOT_FOUND");
      return true;
    });
  },
};
