import type { Row } from "@bifocal/core/store";

/** The rows that every case starts from. Their values test sort order and missing values. */
export const ROWS: Readonly<Record<string, readonly Row[]>> = {
  author: [
    { id: 1, name: "Ann", born: "1950-05-05" },
    { id: 2, name: "ben", born: null },
    { id: 3, name: "Élise", born: "1900-01-01" },
    { id: 10, name: "Zoë", born: "1950-05-05" },
  ],
  book: [
    book("a", {
      title: "Emma",
      authorId: 1,
      price: 10,
      pages: "9007199254740993",
      genre: "novel",
      words: ["x", "y"],
      cost: "9.500",
    }),
    book("b", {
      title: "emma",
      authorId: 1,
      price: 2.5,
      pages: "10",
      genre: "poem",
      words: [],
      sold: true,
      cost: "10.250",
    }),
    book("c", { title: "Zebra", authorId: 2, price: null, pages: "9", genre: "novel", at: "2026-01-01T12:00:00.000Z" }),
    book("d", {
      title: "\u{1F600} book",
      authorId: null,
      price: 10,
      genre: "essay",
      at: "2026-01-01T11:00:00.000Z",
      cost: "-10.000",
    }),
    book("e", {
      title: "\uFF5E book",
      authorId: 3,
      price: 0,
      genre: "essay",
      words: ["y"],
      extra: { a: [1, null] },
      cost: "999999999.999",
    }),
    book("f", { title: "100% _emma", authorId: 2, price: -1, genre: "poem", sold: true, isbn: "1", cost: "-9.999" }),
    book("g", { title: "", authorId: 3, price: 10, genre: "novel", at: "2025-12-31T23:59:59.999Z", extra: "text" }),
  ],
  review: [
    { bookId: "a", by: "r1", stars: 5 },
    { bookId: "a", by: "r2", stars: 1 },
    { bookId: "b", by: "r1", stars: 5 },
    { bookId: "c", by: "r1", stars: 3 },
  ],
  tag: [
    { slug: "old", name: "Old" },
    { slug: "new", name: "New" },
    { slug: "none", name: "None" },
  ],
  rack: [
    { room: "A", slot: 1, height: 30 },
    { room: "A", slot: 2, height: 10 },
    { room: "B", slot: 1, height: 20 },
    { room: "B,1", slot: 1, height: 40 },
  ],
  copy: [
    { id: "k", room: "A", slot: 1, isbn: "1" },
    { id: "l", room: "A", slot: 1, isbn: null },
    { id: "m", room: "B", slot: 1, isbn: "1" },
    { id: "n", room: "B", slot: null, isbn: null },
  ],
};

/** Which books have which tags. */
export const LINKS: readonly (readonly [book: string, tag: string])[] = [
  ["a", "old"],
  ["b", "old"],
  ["b", "new"],
];

export function book(id: string, given: Partial<Row>): Row {
  const empty = {
    authorId: null,
    price: null,
    pages: null,
    words: null,
    sold: false,
    at: null,
    extra: null,
    isbn: null,
    cost: null,
  };
  return { id, title: id, genre: "novel", ...empty, ...(given as Row) };
}
