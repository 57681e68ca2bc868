import { withCredential } from "./credential.ts";

interface Explained {
  readonly translations?: readonly { readonly access?: string; readonly sql?: { readonly text: string } }[];
  readonly detail?: string;
}

/** Loads the SQL statements of the page's request, and the access rules that decide, when their section is first opened. */
export function explainOnOpen(section: HTMLDetailsElement): void {
  const { explain = "", request = "" } = section.dataset;
  const [sql, access] = section.querySelectorAll<HTMLElement>("code");
  if (sql === undefined || access === undefined) return;
  section.addEventListener("toggle", () => {
    if (sql.textContent === "") void load(explain, request, sql, access);
  });
}

async function load(url: string, request: string, sql: HTMLElement, access: HTMLElement): Promise<void> {
  sql.textContent = "Loading…";
  try {
    const headers = withCredential({ Accept: "application/json", "Content-Type": "application/json" });
    const body = JSON.stringify({ url: request, access: true, sql: true });
    const response = await fetch(url, { method: "POST", headers, body });
    const { translations: [first] = [], detail } = (await response.json()) as Explained;
    if (first === undefined) throw new Error(detail ?? `The server returned ${response.status}.`);
    sql.textContent = first.sql?.text ?? "None.";
    access.textContent = first.access ?? "None.";
  } catch (thrown) {
    sql.textContent = `The explanation can't be loaded. ${(thrown as Error).message}`;
  }
}
