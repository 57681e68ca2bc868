import { expect, test } from "vitest";
import { send } from "../request.ts";
import { createLibrary } from "./library.ts";

test.each([
  ["/books?limit=5", "Unknown parameter 'limit'. Use 'page[size]'."],
  ["/books?offset=5", "Unknown parameter 'offset'. Use 'page[offset]'."],
  ["/books?order_by=price", "Unknown parameter 'order_by'. Use 'sort'."],
  ["/books?populate=author", "Unknown parameter 'populate'. Use 'include'."],
  ["/books?filtr[price]=5", "Unknown parameter 'filtr'. Did you mean 'filter'?"],
  ["/books?price=5", "To filter by a field, write filter[field]=value."],
  ["/books?constructor=5", "To filter by a field, write filter[field]=value."],
  ["/books/1?limit=5", "Unknown parameter 'limit'. Available: fields, include, rel"],
  ["/books?sort=price:desc", "'book' can't be sorted by 'price:desc'. Write '-price' for this order."],
  ["/books?sort=price+ASC", "'book' can't be sorted by 'price ASC'. Write 'price' for this order."],
  ["/books?sort=prices:desc", "'book' can't be sorted by 'prices:desc'. Available: "],
  ["/books?filter[price][in]=1&filter[price][in]=x", "Value 2 of 'in': expected a number."],
  ["/books?filter[price][in]=1,5", "Value 1 of 'in': expected a number. To pass several values, repeat the parameter."],
  ["/books?filter[price]=1,5", "'price': expected a number. To match several values, use 'in'."],
])("explains how to write %s", async (url, detail) => {
  expect(await send(createLibrary(), "GET", url)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining(detail) as string },
  });
});
