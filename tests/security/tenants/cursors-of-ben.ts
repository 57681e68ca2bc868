import { memoryStore } from "@bifocal/core";
import { BEN, createShops, idOf } from "./shops.ts";

/** Returns cursors of the list of shop b, by title: of rows that exist in one of the two worlds, or in none. */
export async function cursorsOfBen(): Promise<readonly string[]> {
  const ids = { planned: [1, 2, 3, 4].map((n) => idOf(1, n)), count: 0 };
  const api = createShops(memoryStore(), ids);
  const { book } = api.as(BEN);
  for (const [index, title] of ["Dune", "Emma", "Emma", "Zadig"].entries())
    await book.create({ isbn: String(index), title, price: 1, code: null });
  const cursors: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await book.list({ sort: ["title"], page: { size: 1, ...(after !== undefined && { after }) } });
    if (page.endCursor === null) return cursors;
    cursors.push((after = page.endCursor));
  }
}
