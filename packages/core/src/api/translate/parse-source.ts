import { BifocalError } from "../../errors/bifocal-error.ts";
import type { GraphqlSource, RestSource, TranslationSource } from "./translation.ts";

const METHOD = /^(GET|HEAD|QUERY|POST|PUT|PATCH|DELETE)[ \t]+(\S+)((?:[ \t]*\r?\n[\w-]+:.*)*)(?:\s+([\s\S]+))?$/;
const DOCUMENT = /^(?:[{#"]|(?:query|mutation|subscription|fragment)\b)/;

/**
 * Reads the text of a request: `GET /books?page[size]=5`, a path, or `PATCH /books/1 {"price":5}` with a JSON body. Lines
 * with headers can follow the URL.
 * Other text is a GraphQL document.
 */
export function parseSource(source: TranslationSource): RestSource | GraphqlSource {
  if (typeof source !== "string") return source;
  const text = source.trim();
  const [, method, url, headers = "", body] = METHOD.exec(text) ?? [];
  if (method !== undefined && url !== undefined) {
    const parsed = headers === "" ? {} : { headers: parseHeaders(headers) };
    return { method, url, ...parsed, ...(body === undefined ? {} : { body: parseBody(body) }) };
  }
  if (/^(?:\/|https?:)\S*$/.test(text)) return { url: text };
  if (DOCUMENT.test(text)) return { document: text };
  throw new BifocalError(
    "BAD_REQUEST",
    "Expected a REST request such as 'GET /books?page[size]=5', or a GraphQL document such as '{ books { nodes { id } } }'.",
  );
}

function parseHeaders(lines: string): Readonly<Record<string, string>> {
  const headers = [...lines.matchAll(/^([\w-]+):(.*)$/gm)];
  return Object.fromEntries(headers.map(([, name = "", value = ""]) => [name, value.trim()]));
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BifocalError("BAD_REQUEST", "The text after the URL must be a body in JSON.");
  }
}
