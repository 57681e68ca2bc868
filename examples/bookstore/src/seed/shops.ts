import type { Seed } from "./seed.ts";

/** The shops, in every data set. */
export function seedShops(): Seed[string] {
  return [
    { slug: "old-town", name: "Old Town Books", city: "Kraków", specialty: "Satire" },
    { slug: "harbor", name: "Harbor Books", city: "Rotterdam", specialty: null },
  ];
}
