/** A row as `main.ts` selects it. The types of the client check that the rows have these fields. */
export interface ListedBook {
  readonly id: string;
  readonly title: string;
  readonly price: number;
  readonly stars: number | null;
  readonly author: { readonly name: string };
}

/** Shows one table row for each book. */
export function showBooks(books: readonly ListedBook[], discount: (book: ListedBook) => void): void {
  document.querySelector("#books")?.replaceChildren(
    ...books.map((book) => {
      const button = document.createElement("button");
      button.textContent = "Discount";
      button.ariaLabel = `Discount ${book.title}`;
      button.addEventListener("click", () => discount(book));
      const row = document.createElement("tr");
      const cells = [book.title, book.author.name, book.price.toFixed(2), book.stars ?? "–", button];
      row.append(...cells.map(toCell));
      return row;
    }),
  );
}

function toCell(content: string | number | HTMLElement): HTMLTableCellElement {
  const cell = document.createElement("td");
  cell.append(typeof content === "number" ? String(content) : content);
  return cell;
}
