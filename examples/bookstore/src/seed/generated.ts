import { genre } from "../resources/book.ts";
import { type Seed, seedId } from "./seed.ts";
import { seedShops } from "./shops.ts";
import { seedUsers } from "./users.ts";

const ADJECTIVES = ["Silent", "Golden", "Last", "Hidden", "Burning", "Distant", "Broken", "Winter", "Paper", "Second"];
const NOUNS = ["Garden", "River", "Letter", "House", "Island", "Mirror", "Orchard", "Harbour", "Library", "Road"];
const FIRST = ["Ada", "Boris", "Chiara", "Deniz", "Élise", "Farid", "Greta", "Hiro", "Ines", "Jonas"];
const LAST = ["Abara", "Berg", "Castillo", "Dvořák", "Eriksen", "Fontaine", "Grosz", "Haddad", "Ito", "Jansen"];
const TAGS = ["classic", "fantasy", "sale", "satire", "science-fiction", "signed", "used", "new", "school", "gift"];
const FIRST_DAY = Date.UTC(1950, 0, 1);
const CREATED = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

/**
 * Generates `books` books by `authors` authors, the same at every start. Every tenth book is a draft; each has up to
 * four reviews, three tags and a sale.
 */
export function generateSeed(books: number, authors: number): Seed {
  const random = mulberry32(1);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const moment = (index: number): string => new Date(CREATED + index * 1000).toISOString();

  const reviewRows: Seed[string][number][] = [];
  const links: Seed[string][number][] = [];
  const authorRows = Array.from({ length: authors }, (_, index) => ({
    id: seedId("author", index + 1),
    name: `${pick(FIRST)} ${pick(LAST)}`,
    email: index % 7 === 0 ? null : `author${index + 1}@example.com`,
    bio: index % 3 === 0 ? null : `Has written since ${1950 + below(70)}.`,
    born: index % 5 === 0 ? null : isoDate(FIRST_DAY + below(18_000) * DAY),
    createdAt: moment(index),
    userId: index === 1 ? "ursula" : null,
  }));
  const bookRows = Array.from({ length: books }, (_, index) => {
    const id = seedId("book", index + 1);
    const price = (500 + below(4500)) / 100;
    for (let number = below(5); number > 0; number -= 1) {
      reviewRows.push({
        id: seedId("review", reviewRows.length + 1),
        bookId: id,
        reviewer: `reader-${number}`,
        stars: 1 + below(5),
        text: number % 2 === 0 ? null : `Read it in ${1 + below(30)} days.`,
        createdAt: moment(reviewRows.length),
      });
    }
    const first = below(TAGS.length);
    for (let number = below(4); number > 0; number -= 1) {
      links.push({ bookId: id, tagId: TAGS[(first + number) % TAGS.length] });
    }
    return {
      id,
      title: `The ${pick(ADJECTIVES)} ${pick(NOUNS)} ${index + 1}`,
      authorId: seedId("author", 1 + below(authors)),
      genre: pick(genre.options),
      price,
      publishedAt: index % 10 === 9 ? null : isoDate(FIRST_DAY + below(27_000) * DAY),
      cost: Math.round(price * 60) / 100,
      createdAt: moment(index),
      updatedAt: moment(index),
    };
  });
  const shops = seedShops().map(({ slug }) => slug);
  const saleRows = bookRows.map(({ id, price }, index) => {
    const quantity = 1 + below(5);
    const at = moment(index * 3600);
    return {
      id: seedId("sale", index + 1),
      shopId: pick(shops),
      sellerId: "editor",
      bookId: id,
      quantity,
      total: (price * quantity).toFixed(2),
      createdAt: at,
      updatedAt: at,
    };
  });
  const tagRows = TAGS.map((slug) => ({
    slug,
    name: (slug.slice(0, 1).toUpperCase() + slug.slice(1)).replace("-", " "),
  }));
  return {
    // Shops reference tags.
    tag: tagRows,
    shop: seedShops(),
    user: seedUsers(),
    author: authorRows,
    book: bookRows,
    review: reviewRows,
    book_tag: links,
    sale: saleRows,
  };
}

/** Parses `1000x100` and generates 1000 books by 100 authors. */
export function parseSeed(text: string): Seed {
  const [, books, authors] = /^(\d{1,6})x([1-9]\d{0,5})$/.exec(text) ?? [];
  if (books === undefined || authors === undefined) {
    throw new Error(`SEED is books x authors, such as 1000x100, and not "${text}".`);
  }
  return generateSeed(Number(books), Number(authors));
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A small seeded random generator with the same numbers on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
