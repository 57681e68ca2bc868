/**
 * The rows that every contender serves: 100 authors, 1,000 books (20 by each of the first 50 authors) and 10,000
 * reviews (10 of each book). They are the same in every run.
 */
export interface AuthorRow {
  id: string;
  name: string;
  country: string;
}

export interface BookRow {
  id: string;
  title: string;
  authorId: string;
  year: number;
  price: number;
  genre: string;
  summary: string;
}

export interface ReviewRow {
  id: string;
  bookId: string;
  stars: number;
  text: string;
}

const GENRES = ["novel", "poem", "essay", "drama"];
const COUNTRIES = ["FR", "GB", "JP", "NG", "BR"];

function id(kind: number, n: number): string {
  return `00000000-0000-4000-8000-${String(kind).padStart(2, "0")}${String(n).padStart(10, "0")}`;
}

export const authors: AuthorRow[] = Array.from({ length: 100 }, (_, n) => ({
  id: id(1, n),
  name: `Author ${n}`,
  country: COUNTRIES[n % COUNTRIES.length] as string,
}));

export const books: BookRow[] = Array.from({ length: 1000 }, (_, n) => ({
  id: id(2, n),
  title: `Book ${n}: a title of common length`,
  authorId: id(1, (n * 37) % 50),
  year: 1900 + (n % 120),
  price: 5 + (n % 40) / 4,
  genre: GENRES[n % GENRES.length] as string,
  summary:
    "What happens in this book, told in about a hundred and twenty characters of plain text, as a catalogue would.",
}));

export const reviews: ReviewRow[] = Array.from({ length: 10_000 }, (_, n) => ({
  id: id(3, n),
  bookId: id(2, n % books.length),
  stars: 1 + (n % 5),
  text: `Review ${n}: read in one sitting.`,
}));
