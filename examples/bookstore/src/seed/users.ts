import type { Seed } from "./seed.ts";

const CREATED = "2026-01-01T00:00:00.000Z";

const users = [
  ["reader", "Robin Reader", "reader"],
  ["ben", "Ben", "reader"],
  ["cleo", "Cleo", "reader"],
  ["ursula", "Ursula K. Le Guin", "author"],
  ["editor", "Eddie Editor", "editor"],
  ["admin", "Ada Admin", "admin"],
] as const;

/** The users who can sign in, in every data set. */
export function seedUsers(): Seed[string] {
  return users.map(([id, name, role]) => {
    const notes = role === "reader" ? "Pays late." : null;
    return { id, name, email: `${id}@bookstore.example`, role, active: true, notes, createdAt: CREATED };
  });
}
