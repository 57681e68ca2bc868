import { GraphQLError } from "graphql";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Limits } from "../../limits/limits.ts";
import { refuse } from "../../errors/refuse.ts";
import { createLru } from "../../util/lru.ts";
import type { CheckDocument } from "../transport/create-document-cache.ts";
import { hashId, type Manifest, readManifest } from "./manifest.ts";

export interface PersistedSettings {
  /**
   * Whether clients may register documents (Apollo's automatic persisted queries): a client sends only a hash and, if
   * the server does not know it, sends the request again with the text. This saves bandwidth and is not an access
   * control. Default: false.
   */
  readonly automatic?: boolean;
  /** Trusted documents by id. Each is also known by its hash. */
  readonly documents?: Manifest;
  /** Reject every document that is not one of `documents`. Default: false. */
  readonly only?: boolean;
}

/** Estimated overhead of an entry, in characters, so that short documents count too. */
const OVERHEAD = 256;

/**
 * Returns the text of the document that a request names by `id`, sends as `query`, or both. Throws BAD_REQUEST,
 * FORBIDDEN, or the errors of Apollo's protocol, with the messages and codes that its clients expect.
 */
export type FindDocument = (query: string | undefined, id: string | undefined) => string | undefined;

export function createPersisted(
  { automatic = false, documents = {}, only = false }: PersistedSettings,
  checkDocument: CheckDocument,
  { graphql: { persistedLength } }: Limits,
): FindDocument {
  const manifest = readManifest(documents);
  const learned = createLru<string>(automatic ? persistedLength : 0);
  const isOn = automatic || manifest.size > 0;

  function learn(query: string, id: string): void {
    // Caching invalid documents would only waste space.
    if (automatic && checkDocument(query).errors === undefined) learned.set(id, query, query.length + OVERHEAD);
  }

  return (query, id) => {
    if (only && (id === undefined || query !== undefined)) {
      throw new BifocalError("FORBIDDEN", "Only registered documents can be executed. Send a 'documentId'.");
    }
    if (id === undefined || (query !== undefined && !isOn)) return query;
    if (query === undefined) {
      const known = manifest.get(id) ?? manifest.get(id.replace(/^sha256:/, "")) ?? learned.get(id);
      if (known !== undefined) return known;
      throw isOn
        ? persistedError("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
        : persistedError("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED");
    }
    if (manifest.get(id) === query || learned.get(id) === query) return query;
    if (hashId(query) !== id) refuse(["query"], "hash_mismatch", "The document doesn't match the hash.");
    learn(query, id);
    return query;
  };
}

function persistedError(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
