import { type Seed, seedId } from "./seed.ts";
import { seedShops } from "./shops.ts";
import { seedUsers } from "./users.ts";

const CREATED = "2026-01-01T00:00:00.000Z";

const authors = [
  { name: "Jane Austen", email: "jane@example.com", bio: "Wrote in the sitting room at Chawton.", born: "1775-12-16" },
  { name: "Ursula K. Le Guin", email: "ursula@example.com", bio: null, born: "1929-10-21" },
  { name: "Stanisław Lem", email: "stanislaw@example.com", bio: "Physician by training.", born: "1921-09-12" },
  { name: "Emily Dickinson", email: null, bio: null, born: "1830-12-10" },
  { name: "Mary Shelley", email: "mary@example.com", bio: null, born: "1797-08-30" },
  { name: "Homer", email: null, bio: "Perhaps several people.", born: null },
] as const;

const books = [
  [1, "Emma", "novel", 12.5, "1815-12-23", ["classic", "satire"]],
  [1, "Pride and Prejudice", "novel", 9.9, "1813-01-28", ["classic", "sale"]],
  [1, "Persuasion", "novel", 11, "1817-12-20", ["classic"]],
  [2, "The Left Hand of Darkness", "novel", 14, "1969-03-01", ["science-fiction"]],
  [2, "A Wizard of Earthsea", "novel", 9.5, "1968-11-01", ["fantasy", "sale"]],
  [2, "Steering the Craft", "essay", 18, "1998-04-01", []],
  [3, "Solaris", "novel", 13, "1961-06-01", ["science-fiction"]],
  [3, "The Cyberiad", "novel", 8.75, "1965-01-01", ["science-fiction", "satire", "sale"]],
  [4, "Poems", "poem", 7.5, "1890-11-12", ["classic"]],
  [5, "Frankenstein", "novel", 10, "1818-01-01", ["classic", "science-fiction"]],
  [6, "Odyssey", "poem", 16, "0700-01-01", ["classic"]],
  [2, "Letters from Anarres", "essay", 21, null, []],
] as const;

const reviews = [
  [1, "reader", 5, "Badly done, Emma! Well done, Jane."],
  [1, "ben", 4, null],
  [2, "ben", 5, "Twice a year, every year."],
  [4, "reader", 5, "Winter stays with you."],
  [4, "cleo", 3, null],
  [7, "ben", 4, "The ocean is the best character."],
  [8, "cleo", 5, "Trurl forever."],
  [10, "reader", 4, null],
  [11, "cleo", 2, "Long way home."],
] as const;

const tags = {
  classic: "Classic",
  fantasy: "Fantasy",
  sale: "Sale",
  satire: "Satire",
  "science-fiction": "Science fiction",
};

/** Shop, seller, book, quantity, total and month. */
const sales = [
  ["old-town", "editor", 1, 2, "25.00", "2026-01"],
  ["old-town", "editor", 7, 1, "13.00", "2026-01"],
  ["old-town", "editor", 11, 1, "16.00", "2026-02"],
  ["old-town", "editor", 1, 3, "33.75", "2026-02"],
  ["harbor", "admin", 1, 1, "12.50", "2026-01"],
  ["harbor", "admin", 6, 10, "162.00", "2026-02"],
] as const;

/** The small data set: 6 authors, 12 books of which book 12 is a draft, 9 reviews, 5 tags, 2 shops, 6 sales. */
export function seedByHand(): Seed {
  return {
    // Shops reference tags.
    tag: Object.entries(tags).map(([slug, name]) => ({ slug, name })),
    shop: seedShops(),
    author: authors.map((author, index) => ({
      id: seedId("author", index + 1),
      ...author,
      createdAt: CREATED,
      userId: index === 1 ? "ursula" : null,
    })),
    user: seedUsers(),
    book: books.map(([author, title, genre, price, publishedAt], index) => ({
      id: seedId("book", index + 1),
      title,
      authorId: seedId("author", author),
      genre,
      price,
      publishedAt,
      cost: Math.round(price * 60) / 100,
      createdAt: CREATED,
      updatedAt: CREATED,
    })),
    review: reviews.map(([book, reviewer, stars, text], index) => ({
      id: seedId("review", index + 1),
      bookId: seedId("book", book),
      reviewer,
      stars,
      text,
      createdAt: CREATED,
    })),
    sale: sales.map(([shopId, sellerId, book, quantity, total, month], index) => {
      const at = `${month}-01T10:00:00.000Z`;
      const id = seedId("sale", index + 1);
      return { id, shopId, sellerId, bookId: seedId("book", book), quantity, total, createdAt: at, updatedAt: at };
    }),
    book_tag: books.flatMap(([, , , , , slugs], index) =>
      slugs.map((slug) => ({ bookId: seedId("book", index + 1), tagId: slug })),
    ),
  };
}
