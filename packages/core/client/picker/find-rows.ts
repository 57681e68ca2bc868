import { withCredential } from "../credential.ts";

/** A row to choose. */
export interface Choice {
  readonly key: string;
  readonly label: string;
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
