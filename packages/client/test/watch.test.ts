import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@bifocal/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LENSES, type Served, serveLibrary, STORES } from "./hosts.ts";
import { ANN, type Library } from "./library.ts";

const [memory] = STORES;
let served: Served;
let proxy: Server;
let url: string;
let opened: string[];
let closed: number;

/** A proxy that can cut connections. */
beforeEach(async () => {
  served = await serveLibrary(memory as (typeof STORES)[number]);
  opened = [];
  closed = 0;
  proxy = createServer((request, response) => {
    if (request.headers.accept === "text/event-stream") opened.push(String(request.headers["last-event-id"]));
    const out = forward(
      served.url.replace(/\/api$/, "") + (request.url ?? ""),
      { method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
        response.once("close", () => {
          closed += 1;
          answer.destroy();
        });
      },
    );
    out.on("error", () => response.destroy());
    request.pipe(out);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api`;
});
afterEach(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await served.close();
});

describe.each(Object.entries(LENSES))("with the lens of %s", (_, lens) => {
  const connect = () => createClient<Library>({ url, lens: lens(), headers: { authorization: `Bearer ${ANN.id}` } });
  const next = async <T>(changes: AsyncIterator<T>): Promise<T> => (await changes.next()).value as T;

  test("yields the changes that a caller may see, with their rows", async () => {
    const changes = connect().book.watch({ filter: { price: { lt: 50 } }, select: { title: true, addedAt: true } });
    const first = next(changes);
    await expect.poll(() => opened.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { book, person } = served.api.as(ANN);
    await person.create({ id: ANN.id, name: "Ann", email: null, born: null });
    const id = "b0000000-0000-4000-8000-000000000001";
    const addedAt = new Date("2026-01-01T00:00:00.000Z");
    await book.create({
      id,
      title: "Emma",
      authorId: ANN.id,
      price: 10,
      genre: "novel",
      addedAt,
      words: null,
      size: null,
      format: null,
    });
    expect(await first).toMatchObject({ kind: "created", item: { title: "Emma", addedAt } });
    await book.update(id, { price: 60 });
    expect(await next(changes)).toMatchObject({ kind: "left", key: id });
    expect(await changes.return?.()).toEqual({ done: true, value: undefined });
  });

  test("yields the current rows first", async () => {
    await served.api.as(ANN).tag.create({ id: 1, name: "Classic" });
    const changes = connect().tag.watch({ initial: true, on: ["updated"] });
    expect(await next(changes)).toEqual({ kind: "current", item: { id: 1, name: "Classic", writes: 1 } });
    await served.api.as(ANN).tag.create({ id: 2, name: "Sale" });
    await served.api.as(ANN).tag.update(1, { name: "Old" });
    expect(await next(changes)).toMatchObject({ kind: "updated", item: { name: "Old", writes: 2 } });
    await changes.return?.();
  });

  test("resumes after a lost connection, without losing a change", async () => {
    const { tag } = served.api.as(ANN);
    await tag.create({ id: 1, name: "0" });
    const changes = connect().tag.watch({ id: 1 });
    const first = next(changes);
    await expect.poll(() => opened.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await tag.update(1, { name: "1" });
    const { id } = (await first) as { id: string };
    proxy.closeAllConnections();
    await tag.update(1, { name: "2" });
    expect(await next(changes)).toMatchObject({ kind: "updated", item: { name: "2" } });
    expect(opened.at(-1)).toBe(id);
    await changes.return?.();
  });

  test("yields a reset if it can't know what it missed", async () => {
    const changes = connect().tag.watch();
    const first = next(changes);
    await expect.poll(() => opened.length).toBe(1);
    // The client must have received the response before the connection is lost.
    await new Promise((resolve) => setTimeout(resolve, 100));
    proxy.closeAllConnections();
    expect(await first).toEqual({ kind: "reset", id: "" });
    await changes.return?.();
    const late = connect().tag.watch({ after: "unknown" });
    expect(await next(late)).toMatchObject({ kind: "reset" });
    await late.return?.();
  });

  test("ends when its signal aborts, and closes the connection", async () => {
    const ending = new AbortController();
    const changes = connect().tag.watch({ signal: ending.signal });
    const first = changes.next();
    await expect.poll(() => opened.length).toBe(1);
    ending.abort();
    expect(await first).toEqual({ done: true, value: undefined });
    // The description was the first response.
    await expect.poll(() => closed).toBe(2);
  });

  test("throws the error of a request that can't succeed", async () => {
    const wrong = connect().book.watch({ filter: { nme: "x" } as object });
    await expect(wrong.next()).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
