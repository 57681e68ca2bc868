import type { Row } from "@bifocal/core";
import type { ListQuery, MaybePromise, Position, StoreContext, StorePage, WriteResult } from "@bifocal/core/store";
import { createAsker } from "./asker.ts";
import { flat, keyOf, type KeyKind, type Library, valuesOf } from "./library.ts";

const CONTEXT: StoreContext = { signal: undefined };
const LIMIT = 50;

const SORTS = {
  "default order": ["id"],
  "by title, descending": ["-title", "id"],
  "by price and title": ["price", "title", "id"],
} as const;

/** Runs an operation `count` times. */
export type Work = (count: number) => Promise<void>;

/** The operations of one store. Creates and deletes of a turn keep its number of rows. */
export async function createWorks(
  kind: KeyKind,
  { api, store, resource, keys, books }: Library,
): Promise<ReadonlyMap<string, Work>> {
  const rows = keys.length;
  let created = rows;

  function list(sort: readonly string[], query: Partial<ListQuery> = {}): MaybePromise<StorePage> {
    const terms = sort.map((term) => ({ path: [term.replace("-", "")] as const, descending: term.startsWith("-") }));
    return store.list({ resource, sort: terms, limit: LIMIT, ...query }, CONTEXT);
  }

  /** Returns the position of the row at a part of the list, such as 0.5. */
  async function positionAt(sort: readonly string[], part: number): Promise<Position> {
    const {
      rows: [row],
    } = await list(sort, { limit: 1, offset: Math.floor(rows * part) });
    return sort.map((term) => row?.[term.replace("-", "")] ?? null);
  }

  const randomIndex = (): number => Math.floor(Math.random() * keys.length);
  const randomKey = (): string | number => keys[randomIndex()] as string | number;

  function create(): void {
    const n = created++;
    const id = kind === "integer" ? {} : { id: keyOf(kind, n) };
    const [row] = store.insert({ resource, rows: [{ ...id, ...valuesOf(n, rows) }] }, CONTEXT) as readonly Row[];
    keys.push(row?.["id"] as string | number);
  }

  async function writeAndList(): Promise<void> {
    await createThroughApi();
    await books.list({ sort: ["-title"], page: { size: LIMIT } });
    await books.update(randomKey(), { title: flat(`Title ${randomIndex().toString(36)}`) });
    await books.list({ sort: ["price", "title"], page: { size: LIMIT } });
    await books.delete(takeKey());
    await books.list({ page: { size: LIMIT } });
  }

  async function createThroughApi(): Promise<void> {
    const n = created++;
    const values = valuesOf(n, rows);
    const input = kind === "integer" ? values : { id: keyOf(kind, n), ...values };
    const { id } = await books.create(input);
    keys.push(id);
  }

  const ask = createAsker(api);

  async function createOverHttp(): Promise<void> {
    const n = created++;
    const values = valuesOf(n, rows);
    const text = await ask("POST", "/books", kind === "integer" ? values : { id: keyOf(kind, n), ...values });
    keys.push((JSON.parse(text) as { readonly id: string | number }).id);
  }

  /** Returns the key of a row that will be deleted. */
  function takeKey(): string | number {
    const index = randomIndex();
    const key = keys[index] as string | number;
    keys[index] = keys.at(-1) as string | number;
    keys.pop();
    return key;
  }

  const deleteOne = (): unknown => store.delete({ resource, key: takeKey() }, CONTEXT);

  function update(set: (n: number) => Record<string, string | number>): unknown {
    return store.update({ resource, key: randomKey(), set: set(Math.floor(Math.random() * 1e9)) }, CONTEXT);
  }

  const updateTitle = (): unknown => update((n) => ({ title: flat(`Title ${n.toString(36)}`) }));

  /** Reads the part of the list to which the row was moved. */
  function updateTitleAndReadBehind(): unknown {
    const result = updateTitle() as WriteResult;
    const { title, id } = result.kind === "done" ? result.after : {};
    return list(SORTS["by title, descending"], { after: [title ?? null, id ?? null] });
  }

  const repeat =
    (work: () => unknown): Work =>
    async (count) => {
      for (let n = 0; n < count; n++) {
        const result = work();
        if (result instanceof Promise) await result;
      }
    };

  const works: [string, Work][] = [
    ["create", repeat(create)],
    ["delete", repeat(deleteOne)],
    ["create, then first page", repeat(() => (create(), list(SORTS["default order"])))],
    ["delete, then first page", repeat(() => (deleteOne(), list(SORTS["by price and title"])))],
    ["update of a sorted field", repeat(updateTitle)],
    ["update of a sorted field, then the page after the row", repeat(updateTitleAndReadBehind)],
    ["update of an unsorted field", repeat(() => update((n) => ({ summary: `Summary ${n}` })))],
    ["item", repeat(() => store.byKeys({ resource, keys: [randomKey()] }, CONTEXT))],
    ["create through the API", repeat(createThroughApi)],
    ["update through the API", repeat(() => books.update(randomKey(), { summary: "Shorter." }))],
    ["delete through the API", repeat(() => books.delete(takeKey()))],
    ["first page through the API", repeat(() => books.list({ page: { size: LIMIT } }))],
    ["create, update, delete and three pages through the API", repeat(writeAndList)],
    ["create over HTTP", repeat(createOverHttp)],
    ["update over HTTP", repeat(() => ask("PATCH", `/books/${randomKey()}`, { summary: "Shorter." }))],
    ["delete over HTTP", repeat(() => ask("DELETE", `/books/${takeKey()}`))],
    ["first page over HTTP", repeat(() => ask("GET", `/books?page[size]=${LIMIT}`))],
    ["count", repeat(() => list(SORTS["default order"], { limit: 1, count: true }))],
  ];
  for (const [name, sort] of Object.entries(SORTS)) {
    const [middle, end] = [await positionAt(sort, 0.5), await positionAt(sort, 0.95)];
    works.push(
      [`first page, ${name}`, repeat(() => list(sort))],
      [`page after the middle, ${name}`, repeat(() => list(sort, { after: middle }))],
      // In ascending order by price, these rows have none.
      [`page near the end, ${name}`, repeat(() => list(sort, { after: end }))],
      [`page before the middle, ${name}`, repeat(() => list(sort, { before: middle, fromEnd: true }))],
    );
  }
  return new Map(works);
}
