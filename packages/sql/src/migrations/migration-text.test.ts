import { expect, test } from "vitest";
import { tablesIn } from "./migration-text.ts";

test.each([
  ['create table "books" ("id" integer); alter table "shop"."books" drop column "a"', ["books", "shop.books"]],
  ["drop table if exists `my``books`; CREATE TABLE IF NOT EXISTS Books (id int)", ["my`books", "books"]],
  ["delete from books; update authors set a = 1; truncate only lines", ["books", "authors", "lines"]],
  ["create index a on books (b)", []],
])("%s names %o", (text, tables) => {
  expect(tablesIn(text)).toEqual(tables);
});
