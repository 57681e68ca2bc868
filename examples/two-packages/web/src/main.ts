import { isBifocalError } from "@bifocal/client";
import { client } from "./client.ts";
import { type ListedBook, showBooks } from "./show-books.ts";

const status = document.querySelector("#status") as HTMLElement;
const form = document.querySelector("#new") as HTMLFormElement;

/** Runs a call and shows its result or its error. */
async function attempt(done: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
    status.textContent = done;
  } catch (error) {
    if (!isBifocalError(error)) throw error;
    const issues = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    status.textContent = issues.length === 0 ? error.message : issues.join(" ");
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const values = new FormData(form);
  const text = (name: string): string => {
    const value = values.get(name);
    return typeof value === "string" ? value : "";
  };
  const input = { title: text("title"), price: Number(text("price")), authorId: text("authorId") };
  void attempt(`Added ${input.title}.`, async () => client.book.create(input));
});

const discount = ({ id, title }: ListedBook): void =>
  void attempt(`${title} is cheaper now.`, async () => client.book.actions.discount(id, { percent: 10 }));

const { items: authors } = await client.author.list({ sort: ["name"], select: { id: true, name: true } });
form.querySelector("select")?.append(...authors.map(({ id, name }) => new Option(name, id)));

for await (const { items } of client.book.list({
  live: true,
  sort: ["title"],
  select: { id: true, title: true, price: true, stars: true, author: { select: { name: true } } },
})) {
  showBooks(items, discount);
}
