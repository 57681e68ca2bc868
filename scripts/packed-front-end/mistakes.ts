import { client } from "./client.ts";

// Mistakes that the declarations of the API must find.
// @ts-expect-error 'rating' is no field
void client.book.list({ select: { rating: true } });
// @ts-expect-error prices are numbers
void client.book.create({ title: "Emma", price: "12.50", authorId: "a" });
// @ts-expect-error ids and times are generated
void client.book.create({ title: "Emma", price: 1, authorId: "a", createdAt: "2026-01-01T00:00:00Z" });
// @ts-expect-error 'createdAt' isn't filterable
void client.book.list({ filter: { createdAt: { gt: "2026" } } });
// @ts-expect-error the action takes a number
void client.book.actions.discount("b", { percent: "10" });
// @ts-expect-error no client updates a review
void client.review.update("r", { stars: 5 });

const { items } = await client.book.list({ select: { title: true, author: { select: { name: true } } } });
export const names: readonly string[] = items.map(({ author }) => author.name);
// @ts-expect-error the price wasn't selected
export const prices = items.map(({ price }) => price);
