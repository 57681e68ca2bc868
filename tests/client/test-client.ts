import { describe } from "vitest";
import type { Connect } from "./bookstores.ts";
import { testReads } from "./reads.ts";
import { testWatches } from "./watch.ts";
import { testWrites } from "./writes.ts";

/** Tests the client with a bookstore that has the small data set. Reads come first, because the others change it. */
export function testClient(connect: Connect, lacksSockets = false): void {
  describe("reads", () => {
    testReads(connect);
  });
  describe("writes", () => {
    testWrites(connect);
  });
  describe("watches", () => {
    testWatches(connect, lacksSockets);
  });
}
