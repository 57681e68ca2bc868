import { BodyMistake, decodeText, parseJsonText } from "../../message/json-body.ts";
import { endOfString } from "../../message/json-members.ts";
import type { Limits } from "../../limits/limits.ts";
import { createLru } from "../../util/lru.ts";
import { createSightings } from "../../util/sightings.ts";

/** Parses the body of a request. Throws a `BodyMistake` with a message for the client. */
export type ParseRequestBody = (bytes: Uint8Array) => unknown;

/** The beginning of most clients' bodies. */
const START = '{"query":"';
const OPEN_QUOTE = START.length - 1;
/** Share of the memory for documents. */
const SHARE = 1 / 8;
/** Estimated bytes of a character in a literal and in its document. */
const BYTES_PER_CHARACTER = 4;
const OVERHEAD_BYTES = 128;

/**
 * Creates a function that parses bodies like `parseJsonBody`, but decodes the text of a document only while it is new.
 * Clients send the same few documents again and again, with other variables. The same document is then also the same
 * string object, which the document cache finds without comparing characters.
 */
export function createParseRequestBody({ http: { jsonDepth, jsonKeys }, graphql }: Limits): ParseRequestBody {
  const most = graphql.cacheBytes * SHARE;
  /** Documents by their JSON text. */
  const known = createLru<string>(most);
  const wasSeen = createSightings();

  function remember(literal: string, { query }: { readonly query?: unknown }): void {
    const bytes = literal.length * BYTES_PER_CHARACTER + OVERHEAD_BYTES;
    if (bytes > most || typeof query !== "string" || !wasSeen(literal)) return;
    known.set(copyOf(literal), query, bytes);
  }

  return (bytes) => {
    const text = decodeText(bytes);
    const end = text.startsWith(START) ? endOfString(text, OPEN_QUOTE) : -1;
    if (end < 0) return parseJsonText(text, jsonDepth, jsonKeys);
    const literal = text.slice(OPEN_QUOTE, end + 1);
    const query = known.get(literal);
    if (query === undefined) {
      const value = parseJsonText(text, jsonDepth, jsonKeys);
      remember(literal, value as object);
      return value;
    }
    if (end === text.length - 2 && text.endsWith("}")) return { query };
    try {
      return { ...(parseJsonText(`{"query":0${text.slice(end + 1)}`, jsonDepth, jsonKeys) as object), query };
    } catch (thrown) {
      // The message may contain a position.
      if (thrown instanceof BodyMistake) return parseJsonText(text, jsonDepth, jsonKeys);
      throw thrown;
    }
  };
}

/** A slice would keep the whole body in memory. */
function copyOf(slice: string): string {
  return JSON.parse(JSON.stringify(slice)) as string;
}
