/** A `fetch` that records the requests of a client. */
export interface Wire {
  readonly fetch: typeof fetch;
  /** The methods and how each identifies the document, such as `GET hash`. Taking them clears the list. */
  readonly take: () => readonly string[];
}

export function tapWire(): Wire {
  let sent: string[] = [];
  return {
    async fetch(input, init = {}) {
      const { method = "GET", body } = init;
      const search = new URL(String(input)).searchParams;
      const { query, extensions } = (
        method === "GET"
          ? { query: search.get("query"), extensions: search.get("extensions") }
          : (JSON.parse(String(body)) as object)
      ) as { readonly query?: string | null; readonly extensions?: unknown };
      const hash = JSON.stringify(extensions ?? "").includes("sha256Hash") ? ["hash"] : [];
      sent.push([method, ...hash, ...(query ? ["text"] : [])].join(" "));
      return fetch(input, init);
    },
    take() {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}
