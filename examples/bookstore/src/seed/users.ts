import type { Seed } from "./seed.ts";

const CREATED = "2026-01-01T00:00:00.000Z";

const users = [
  ["reader", "Robin Reader", "reader", null],
  ["ben", "Ben", "reader", null],
  ["cleo", "Cleo", "reader", null],
  ["ursula", "Ursula K. Le Guin", "author", null],
  ["editor", "Eddie Editor", "editor", "old-town"],
  ["admin", "Ada Admin", "admin", "harbor"],
] as const;

/** The users who can sign in, in every data set. */
export function seedUsers(): Seed[string] {
  return users.map(([id, name, role, shopId]) => {
    const notes = role === "reader" ? "Pays late." : null;
    return { id, name, email: `${id}@bookstore.example`, role, shopId, active: true, notes, createdAt: CREATED };
  });
}
