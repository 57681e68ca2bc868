const FILES: Readonly<Record<string, string>> = { json: "json", graphql: "graphql" };

/** The editor's own threads, from files beside this one. */
export function startWorker(label: string): Worker {
  return new Worker(new URL(`./graphiql-${FILES[label] ?? "editor"}.worker.js`, import.meta.url));
}
