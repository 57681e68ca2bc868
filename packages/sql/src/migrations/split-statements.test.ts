import { describe, expect, test } from "vitest";
import type { DialectName } from "../dialect/dialect.ts";
import { splitStatements } from "./split-statements.ts";

const ALL: readonly DialectName[] = ["postgres", "mysql", "sqlite"];

const CASES: readonly {
  readonly of?: readonly DialectName[];
  readonly text: string;
  readonly is: readonly string[];
}[] = [
  { text: "", is: [] },
  { text: "-- nothing;\n/* at; all */\n;;", is: [] },
  { text: "select 1", is: ["select 1"] },
  { text: "select 1;\nselect 2;\n", is: ["select 1", "select 2"] },
  { text: "-- first; one\nselect 1; -- second\nselect 2;", is: ["select 1", "select 2"] },
  { text: "select 'a;b''c;d', \"e;f\";select 2", is: ["select 'a;b''c;d', \"e;f\"", "select 2"] },
  { text: "select /* ; */ 1;", is: ["select /* ; */ 1"] },
  { text: "select 5 - -1; select 5-1;", is: ["select 5 - -1", "select 5-1"] },
  {
    of: ["mysql"],
    text: "select 'it\\'s; one', `a;b`; # end;\nselect 5--1;",
    is: ["select 'it\\'s; one', `a;b`", "select 5--1"],
  },
  { of: ["mysql"], text: "/*!40101 set names utf8mb4 */;", is: ["/*!40101 set names utf8mb4 */"] },
  {
    of: ["postgres"],
    text: "create function f() returns int as $body$ begin; return 1; end $body$ language plpgsql; do $$ begin perform 1; end $$; select E'it\\'s;'",
    is: [
      "create function f() returns int as $body$ begin; return 1; end $body$ language plpgsql",
      "do $$ begin perform 1; end $$",
      "select E'it\\'s;'",
    ],
  },
  { of: ["postgres"], text: "select 'a\\'; select 2", is: ["select 'a\\'", "select 2"] },
  {
    of: ["sqlite"],
    text: "CREATE TRIGGER t after insert on books begin update books set a = 1; delete from b; end; select [a;b]",
    is: ["CREATE TRIGGER t after insert on books begin update books set a = 1; delete from b; end", "select [a;b]"],
  },
];

describe.each(CASES.flatMap(({ of = ALL, ...one }) => of.map((dialect) => ({ ...one, dialect }))))(
  "$dialect: $text",
  ({ dialect, text, is }) => {
    test("yields each statement", () => expect(splitStatements(dialect, text)).toEqual(is));
  },
);
