import { expect } from "vitest";
import { answer } from "./worlds/requests.ts";
import { seesNote, seesPrice, seesRow } from "./worlds/view.ts";
import type { Row, Rules, State, World } from "./worlds/world.ts";

const global = (id: number): string => Buffer.from(`Row:${id}`).toString("base64url");
const globalOrNull = (id: number | null): string | null => (id === null ? null : global(id));

const SHOWN = `id color size boxId code price box { id color } items(first: 20) { totalCount nodes { id } }
  notes(first: 20) { totalCount nodes { text } }`;

interface GraphqlError {
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string };
}
interface Connection {
  readonly totalCount: number;
  readonly nodes: readonly object[];
}

async function ask(world: World, query: string, variables: object = {}) {
  const { status, text } = await answer(world, { method: "POST", url: "/graphql", body: { query, variables } });
  expect([query, status]).toEqual([query, 200]);
  const { data, errors = [] } = JSON.parse(text) as {
    readonly data: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly GraphqlError[];
  };
  // Reads of a caller have no other errors than access errors.
  expect(errors.filter(({ extensions }) => extensions.code !== "FORBIDDEN")).toEqual([]);
  return { data: data ?? {}, errors };
}

/** A caller that can read no row of a resource gets null with an error instead of an empty list. */
const orEmpty = (connection: unknown): Connection => (connection ?? { totalCount: 0, nodes: [] }) as Connection;

function withoutNulls(node: object): object {
  const { items, notes, ...others } = node as Readonly<Record<string, unknown>>;
  return { ...others, items: orEmpty(items), notes: orEmpty(notes) };
}

/** Compares the GraphQL response with the rules, row by row. Returns the number of visible rows. */
export async function expectGraphqlReads(world: World, rules: Rules, now: State, color: number): Promise<number> {
  const visible = now.rows.filter((row) => seesRow(rules, now, row)).sort((a, b) => a.id - b.id);
  const itemsOf = ({ id }: Row): readonly Row[] => visible.filter(({ boxId }) => boxId === id);
  const boxOf = ({ boxId }: Row): Row | undefined => visible.find(({ id }) => id === boxId);
  const notesOf = ({ id }: Row) => now.notes.filter((note) => note.rowId === id && seesNote(rules, now, note));
  const connection = (nodes: readonly object[]): Connection => ({ totalCount: nodes.length, nodes });
  const shown = (row: Row): object => {
    const box = boxOf(row);
    return {
      id: global(row.id),
      color: row.color,
      size: row.size,
      boxId: globalOrNull(row.boxId),
      code: row.code,
      price: seesPrice(rules, now, row) ? row.price : null,
      box: box === undefined ? null : { id: global(box.id), color: box.color },
      items: connection(itemsOf(row).map(({ id }) => ({ id: global(id) }))),
      notes: connection(notesOf(row).map(({ text }) => ({ text }))),
    };
  };

  const all = await ask(world, `{ rows(first: 20) { totalCount nodes { ${SHOWN} } } }`);
  const { totalCount, nodes } = orEmpty(all.data["rows"]);
  expect({ totalCount, nodes: nodes.map(withoutNulls) }).toEqual(connection(visible.map(shown)));
  const hidden = visible.filter((row) => !seesPrice(rules, now, row));
  expect(all.errors.filter(({ path = [] }) => path.at(-1) === "price")).toHaveLength(hidden.length);

  for (const row of now.rows) {
    const id = global(row.id);
    const one = await ask(world, `query ($id: ID!) { row(id: $id) { ${SHOWN} } node(id: $id) { id } }`, { id });
    const found = one.data["row"] ?? null;
    const isVisible = visible.includes(row);
    expect(found === null ? null : withoutNulls(found)).toEqual(isVisible ? shown(row) : null);
    expect(one.data["node"] ?? null).toEqual(isVisible ? { id } : null);
  }

  // Hidden rows neither match a filter along a relation nor keep one from matching.
  const is = (row: Row | undefined): boolean => row?.color === color;
  const filters: readonly (readonly [filter: string, matches: (row: Row) => boolean])[] = [
    ["color: { eq: $color }", is],
    ["not: { color: { eq: $color } }", (row) => !is(row)],
    ["box: { color: { eq: $color } }", (row) => is(boxOf(row))],
    ["items: { some: { color: { eq: $color } } }", (row) => itemsOf(row).some(is)],
    ["items: { every: { color: { eq: $color } } }", (row) => itemsOf(row).every(is)],
    ["items: { none: { color: { eq: $color } } }", (row) => !itemsOf(row).some(is)],
  ];
  const lists = filters.map(
    ([filter], at) => `f${at}: rows(filter: { ${filter} }, sort: [SIZE_DESC], first: 2) { totalCount nodes { id } }`,
  );
  const { data } = await ask(world, `query ($color: Int!) { ${lists.join(" ")} }`, { color });
  const expected = filters.map(([, matches]) => {
    const rows = visible.filter(matches).toSorted((a, b) => b.size - a.size || a.id - b.id);
    return { totalCount: rows.length, nodes: rows.slice(0, 2).map(({ id }) => ({ id: global(id) })) };
  });
  expect(filters.map((_, at) => orEmpty(data[`f${at}`]))).toEqual(expected);
  return visible.length;
}
