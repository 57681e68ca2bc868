import { withCredential } from "../credential.ts";

/** A row to choose. */
export interface Choice {
  readonly key: string;
  readonly label: string;
}

/** Finds the label of a key. Undefined if the row can't be read. */
export async function findLabel(
  { row, key = "", label = "" }: DOMStringMap,
  value: string,
): Promise<string | undefined> {
  if (row === undefined) return undefined;
  const url = `${row}${encodeURIComponent(value)}?fields=${key},${label}`;
  const response = await fetch(url, { headers: withCredential({ Accept: "application/json" }) });
  if (!response.ok) return undefined;
  const found = (await response.json()) as Readonly<Record<string, string | number | null>>;
  return found[label] === null ? undefined : String(found[label]);
}

/** Finds the rows whose label contains a text, as far as the caller can read them. */
export async function findRows(
  { pick = "", search = "", key = "", label = "" }: DOMStringMap,
  text: string,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const isSearched = search !== "" && text !== "";
  const url = isSearched ? `${pick}&${search}=${encodeURIComponent(text)}` : pick;
  const response = await fetch(url, { headers: withCredential({ Accept: "application/json" }), signal });
  if (!response.ok) throw new Error(`The rows can't be loaded (${response.status}).`);
  const rows = (await response.json()) as readonly Readonly<Record<string, string | number | null>>[];
  const choices = rows.map((row) => ({ key: String(row[key]), label: String(row[label] ?? row[key]) }));
  if (search !== "") return choices;
  const wanted = text.toLowerCase();
  return choices.filter((choice) => choice.label.toLowerCase().includes(wanted));
}
