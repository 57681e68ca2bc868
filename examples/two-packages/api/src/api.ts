import { defineApi, memoryStore } from "@bifocal/core";
import { author, book, review } from "./resources.ts";

/** The front end imports the type of this value. */
export const api = defineApi({
  resources: [author, book, review],
  store: memoryStore({
    data: {
      author: [
        { id: "a0000000-0000-4000-8000-000000000001", name: "Jane Austen" },
        { id: "a0000000-0000-4000-8000-000000000002", name: "Mary Shelley" },
      ],
      book: [
        ["Emma", 12.5, 1],
        ["Persuasion", 9, 1],
        ["Frankenstein", 11, 2],
      ].map(([title, price, author], at) => ({
        id: `b0000000-0000-4000-8000-00000000000${at + 1}`,
        title,
        price,
        authorId: `a0000000-0000-4000-8000-00000000000${author}`,
        createdAt: `2026-01-0${at + 1}T00:00:00.000Z`,
      })),
    },
  }),
});
