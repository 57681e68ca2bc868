const SCRIPT = "text/javascript; charset=utf-8";

/** The files of GraphiQL with their media types. */
export const FILES = {
  "graphiql.css": "text/css; charset=utf-8",
  "graphiql.js": SCRIPT,
  "graphiql-editor.worker.js": SCRIPT,
  "graphiql-graphql.worker.js": SCRIPT,
  "graphiql-json.worker.js": SCRIPT,
} as const;

export type FileName = keyof typeof FILES;
