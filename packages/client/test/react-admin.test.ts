import { createDataProvider } from "@bifocal/client/react-admin";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LENSES, type Served, serveLibrary, STORES } from "./hosts.ts";
import { ANN } from "./library.ts";

const [memory] = STORES;
const idOf = (n: number): string => `b0000000-0000-4000-8000-00000000000${n}`;

describe.each(Object.entries(LENSES))("with the lens of %s", (_, lens) => {
  let served: Served;
  let provider: ReturnType<typeof createDataProvider>;
  beforeAll(async () => {
    served = await serveLibrary(memory as (typeof STORES)[number]);
    provider = createDataProvider(served.connect(lens(), ANN));
    const { person, shelf, book } = served.api.as(ANN);
    await person.create({ id: ANN.id, name: "Ann", email: "ann@example.org", born: 1990 });
    await shelf.create({ room: "a b", slot: 1, label: "First" });
    const rest = { authorId: ANN.id, addedAt: new Date(0), words: 5n, size: null, format: null };
    await book.createMany(
      [1, 2, 3, 4].map((n) => ({
        ...rest,
        genre: n > 2 ? "poem" : "novel",
        id: idOf(n),
        title: `Book ${n}`,
        price: n,
      })),
    );
  });
  afterAll(async () => served.close());

  const prices = async (params: object): Promise<unknown> => {
    const { data, total } = await provider.getList<{ id: string; price: number }>("book", params);
    return [data.map(({ price }) => price), total];
  };

  test("lists pages with their total, sorted and filtered", async () => {
    const sort = { field: "price", order: "DESC" };
    expect(await prices({ sort, pagination: { page: 2, perPage: 3 } })).toEqual([[1], 4]);
    expect(await prices({ sort, filter: { genre: "novel", price: { gte: 2, lt: "" }, title: "" } })).toEqual([[2], 1]);
    expect(await prices({ sort, filter: { genre: ["novel", "poem"], title: [] } })).toEqual([[4, 3, 2, 1], 4]);
    expect(await prices({ sort: { field: "id", order: "ASC" } })).toEqual([[1, 2, 3, 4], 4]);
    await expect(provider.getList("book", { filter: { q: "x" } })).rejects.toMatchObject({
      body: { code: "BAD_REQUEST" },
    });
  });

  test("returns one row, several, and those that refer to another", async () => {
    expect(await provider.getOne("book", { id: idOf(1) })).toMatchObject({ data: { id: idOf(1), words: 5n } });
    const { data } = await provider.getMany<{ id: string }>("book", { ids: [idOf(2), idOf(1)] });
    expect(new Set(data.map(({ id }) => id))).toEqual(new Set([idOf(1), idOf(2)]));
    const params = { target: "author.id", id: ANN.id, pagination: { page: 1, perPage: 2 } };
    expect(await provider.getManyReference("book", params)).toMatchObject({ total: 4 });
    await expect(provider.getOne("book", { id: idOf(9) })).rejects.toMatchObject({ name: "HttpError", status: 404 });
  });

  test("reads rows one by one if their key isn't filterable, and gives them an id", async () => {
    const { data } = await provider.getMany<{ id: string }>("shelf", { ids: ["a%20b,1", "none,2"] });
    expect(data).toMatchObject([{ id: "a%20b,1", room: "a b", slot: 1 }]);
    await provider.update("shelf", { id: "a%20b,1", data: { ...data[0], label: "New" }, previousData: { ...data[0] } });
    expect(await provider.getOne("shelf", { id: "a%20b,1" })).toMatchObject({ data: { label: "New" } });
  });

  test("creates, updates and deletes rows", async () => {
    await provider.create("tag", { data: { id: 7, name: "Sale" } });
    const { data } = await provider.getOne<{ id: number; name: string; writes: number }>("tag", { id: "7" });
    expect(data).toEqual({ id: 7, name: "Sale", writes: 1 });
    const next = { id: 7, data: { ...data, name: "Old" }, previousData: data };
    expect(await provider.update("tag", next)).toEqual({ data: { id: 7, name: "Old", writes: 2 } });
    await expect(provider.update("tag", { ...next, data: { ...data, name: "X" } })).rejects.toMatchObject({
      status: 412,
    });
    await provider.create("tag", { data: { id: 8, name: "New" } });
    expect(await provider.updateMany("tag", { ids: [7, 8], data: { name: "Same" } })).toEqual({ data: [7, 8] });
    expect(await provider.delete("tag", { id: 7, previousData: data })).toEqual({ data });
    expect(await provider.deleteMany("tag", { ids: [8] })).toEqual({ data: [8] });
    expect(await provider.getList("tag", {})).toEqual({ data: [], total: 0 });
  });

  test("reports invalid fields as react-admin's forms expect them", async () => {
    const { data } = await provider.getOne<{ id: string }>("book", { id: idOf(1) });
    const changed = { ...data, price: -1, title: "" };
    await expect(
      provider.update("book", { id: idOf(1), data: changed, previousData: { ...data } }),
    ).rejects.toMatchObject({
      name: "HttpError",
      status: 422,
      body: {
        code: "VALIDATION_FAILED",
        errors: {
          root: { serverError: expect.any(String) },
          price: "Must be at least 0.",
          title: "Must not be empty.",
        },
      },
    });
    const unknown = createDataProvider(served.connect(lens(), ANN));
    await expect(unknown.getList("sheep", {})).rejects.toMatchObject({ message: expect.stringContaining("'sheep'") });
  });
});
