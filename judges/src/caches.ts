import assert from "node:assert/strict";
import CachePolicy from "http-cache-semantics";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, type Dispatcher, fetch as undiciFetch, interceptors } from "undici";
import { ADMIN } from "./bookstore.ts";
import type { Judge } from "./judge.ts";

/** Runs a real cache (RFC 9111) in front of the bookstore, and counts the requests that reach the origin. */
const undiciCache: Judge = {
  name: "undici's cache stores cacheable responses, and requests the others again",
  async run({ url }) {
    const seen: { path: string; status: number }[] = [];
    const counter = createServer((request, response) => {
      void fetch(url + (request.url ?? ""), { headers: request.headers as Record<string, string> }).then(
        async (answer) => {
          seen.push({ path: request.url ?? "", status: answer.status });
          const headers = Object.fromEntries(
            [...answer.headers].filter(
              ([name]) => !/^(connection|keep-alive|transfer-encoding|content-encoding)$/.test(name),
            ),
          );
          response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
        },
      );
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => counter.once("listening", resolve));
    const base = `http://127.0.0.1:${(counter.address() as AddressInfo).port}`;
    const shared = new Agent().compose(interceptors.cache({ type: "shared" }));
    const own = new Agent().compose(interceptors.cache({ type: "private" }));
    const get = async (dispatcher: Dispatcher, path: string, headers: Record<string, string> = {}): Promise<string> =>
      (await undiciFetch(base + path, { dispatcher, headers })).text();
    try {
      const first = await get(shared, "/tags");
      assert.equal(await get(shared, "/tags"), first);
      assert.equal(seen.length, 1, "a public list is kept");
      assert.notEqual(await get(shared, "/tags", { accept: "application/hal+json" }), first);
      assert.equal(seen.length, 2, "another form is another answer");
      await get(shared, "/books");
      await get(shared, "/books");
      assert.deepEqual(
        seen.slice(2).map(({ status }) => status),
        [200, 200],
        "what is private is kept by nobody else",
      );
      const books = await get(own, "/books");
      assert.equal(await get(own, "/books"), books);
      assert.deepEqual(
        seen.slice(4).map(({ status }) => status),
        [200, 304],
        "its owner asks again, and finds it unchanged",
      );
      const drafts = await get(own, "/books", { authorization: `Bearer ${ADMIN}` });
      assert.notEqual(drafts, books, "another credential is another answer");
    } finally {
      await Promise.all([shared.close(), own.close()]);
      counter.close();
    }
  },
};

const semantics: Judge = {
  name: "http-cache-semantics interprets the headers as intended",
  async run({ url }) {
    const policy = async (path: string, headers: Record<string, string> = {}, shared = true): Promise<CachePolicy> => {
      const response = await fetch(url + path, { headers });
      const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
      return new CachePolicy({ url: path, method: "GET", headers }, answer, { shared });
    };
    assert.equal((await policy("/tags")).storable(), true);
    assert.ok((await policy("/tags")).timeToLive() > 55_000);
    assert.equal((await policy("/books")).storable(), false);
    assert.equal((await policy("/books", {}, false)).storable(), true);
    assert.equal((await policy("/books", {}, false)).timeToLive(), 0);
    assert.equal((await policy("/books?nothing=1", {}, false)).storable(), false);
    assert.equal((await policy("/tags", { "cache-control": "no-store" }, false)).storable(), false);
  },
};

export const CACHE_JUDGES: readonly Judge[] = [undiciCache, semantics];
