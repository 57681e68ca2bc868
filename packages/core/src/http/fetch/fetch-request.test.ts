import { expect, test } from "vitest";
import { fromFetchRequest } from "./fetch-request.ts";

/** Reads a URL as hosts pass it: it can have a fragment, and its path can be missing. */
function read(url: string, prefix = ""): readonly [path: string, query: string, host: unknown] | undefined {
  const { method, headers } = new Request("http://localhost/");
  const found = fromFetchRequest({ url, method, headers } as Request, { prefix, address: () => undefined });
  return found && [found.path, found.query, found.headers["host"]];
}

test.each([
  ["http://localhost/books", "/books", "", "localhost"],
  ["https://localhost:8443/books/1?a=b", "/books/1", "a=b", "localhost:8443"],
  ["http://localhost/books?", "/books", "", "localhost"],
  ["http://localhost/?a=/b?c", "/", "a=/b?c", "localhost"],
  ["http://localhost/books#part?a=b", "/books", "", "localhost"],
  ["http://localhost/books?a=b#part", "/books", "a=b", "localhost"],
  ["http://[::1]:80/books", "/books", "", "[::1]:80"],
  ["worker://app/books", "/books", "", "app"],
  ["capacitor://localhost/books", "/books", "", "localhost"],
])("reads %s", (url, ...parts) => {
  expect(read(url)).toEqual(parts);
});

test.each([
  ["http://localhost/api", ["/", ""]],
  ["http://localhost/api/", ["/", ""]],
  ["http://localhost/api?a=b", ["/", "a=b"]],
  ["http://localhost/api/books?a=b", ["/books", "a=b"]],
  ["http://localhost/apis", undefined],
  ["http://localhost/ap", undefined],
  ["http://localhost/", undefined],
  ["http://localhost/?/api", undefined],
  ["http://localhost/books/api", undefined],
])("reads %s below /api", (url, parts) => {
  expect(read(url, "/api")?.slice(0, 2)).toEqual(parts);
});

test("returns undefined for a URL without a path", () => {
  expect(read("http://localhost")).toBeUndefined();
});
