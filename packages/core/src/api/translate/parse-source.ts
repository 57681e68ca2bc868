import { BifocalError } from "../../errors/bifocal-error.ts";
import type { GraphqlSource, RestSource, TranslationSource } from "./translation.ts";

const METHOD = /^(GET|HEAD|QUERY|POST|PUT|PATCH|DELETE)\s+(\S+)(?:\s+([\s\S]+))?$/;
const DOCUMENT = /^(?:[{#"]|(?:query|mutation|subscription|fragment)\b)/;

/**
 * Reads the text of a request: `GET /books?page[size]=5`, a path, or `PATCH /books/1 {"price":5}` with a JSON body.
 * Other text is a GraphQL document.
 */
export function parseSource(source: TranslationSource): RestSource | GraphqlSource {
  if (typeof source !== "string") return source;
  const text = source.trim();
  const [, method, url, body] = METHOD.exec(text) ?? [];
  if (method !== undefined && url !== undefined)
    return { method, url, ...(body === undefined ? {} : { body: parseBody(body) }) };
  if (/^(?:\/|https?:)\S*$/.test(text)) return { url: text };
  if (DOCUMENT.test(text)) return { document: text };
  throw new BifocalError(
    "BAD_REQUEST",
    "Expected a REST request such as 'GET /books?page[size]=5', or a GraphQL document such as '{ books { nodes { id } } }'.",
  );
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BifocalError("BAD_REQUEST", "The text after the URL must be a body in JSON.");
  }
}
