import { randomUUID } from "node:crypto";

/** Ten types with the same eight fields. Each refers to the next one, and the last one to the first. */
export const TYPES = [
  "author",
  "book",
  "review",
  "publisher",
  "genre",
  "shop",
  "customer",
  "order",
  "invoice",
  "tag",
] as const;

export interface Input {
  readonly title: string;
  readonly year: number;
  readonly price: number;
  readonly inStock: boolean;
  readonly code: string;
  readonly tags: readonly string[];
  readonly nextId: string;
}

export interface Row extends Input {
  readonly id: string;
}

export const CODE = /^[A-Z]{2}-\d{4}$/;
const ROWS = 100;

export function nextOf(type: string): string {
  return TYPES[(TYPES.indexOf(type as (typeof TYPES)[number]) + 1) % TYPES.length] as string;
}

export function previousOf(type: string): string {
  return TYPES.find((name) => nextOf(name) === type) as string;
}

export function idOf(type: string, n: number): string {
  const kind = TYPES.indexOf(type as (typeof TYPES)[number]);
  return `00000000-0000-4000-8000-${String(kind).padStart(2, "0")}${String(n).padStart(10, "0")}`;
}

/** The row of a type that a client creates. */
export function inputOf(type: string, n: number): Input {
  return {
    title: `A ${type} with a title of common length, number ${n}`,
    year: 1900 + (n % 120),
    price: n / 4,
    inStock: n % 2 === 0,
    code: `AB-${String(n % 10_000).padStart(4, "0")}`,
    tags: ["new", `shelf ${n % 10}`],
    nextId: idOf(nextOf(type), n % ROWS),
  };
}

export function rowsOf(type: string): Row[] {
  return Array.from({ length: ROWS }, (_, n) => ({ id: idOf(type, n), ...inputOf(type, n) }));
}

export function createRow(input: Input): Row {
  const { title, year, price, inStock, code, tags, nextId } = input;
  return { id: randomUUID(), title, year, price, inStock, code, tags, nextId };
}
