import { describe, expect, test } from "vitest";
import { MAX_START_MS, MISSING } from "./host.ts";
import { startWorker } from "./start-worker.ts";

const WORKER = `
import { sqlStore } from "@bifocal/sql";
const textOf = () => {
  try {
    sqlStore("sqlite:books.db");
    return "No error";
  } catch ({ message }) {
    return message;
  }
};
export class Backend {
  fetch() { return new Response(textOf()); }
}
export default { fetch: (request, { BACKEND }) => BACKEND.getByName("api").fetch(request) };
`;

describe.skipIf(MISSING !== undefined)(`sqlStore() on workerd ${MISSING ?? ""}`, () => {
  test("rejects SQLite, and names the databases to use instead", { timeout: MAX_START_MS }, async () => {
    const { port, close } = await startWorker({ stdin: { contents: WORKER, resolveDir: import.meta.dirname } });
    try {
      const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
      expect(text).toBe(
        "SQLite needs `node:sqlite`, which this runtime lacks. Use Node 22.16 or newer, Bun or Deno. " +
          "On workerd, use postgres://, mysql:// or mariadb://.",
      );
    } finally {
      await close();
    }
  });
});
