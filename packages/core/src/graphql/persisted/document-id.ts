import { refuse } from "../../errors/refuse.ts";

const HASH = /^[0-9a-f]{64}$/;
const ID_LENGTH = 256;

/**
 * Returns the id by which a request names a document: `documentId` (GraphQL over HTTP, Appendix A), or `sha256:…` for
 * the hash of Apollo's `extensions.persistedQuery`. Returns undefined if there is none. Throws BAD_REQUEST.
 */
export function documentIdOf(
  documentId: unknown,
  extensions: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const hash = apolloHash(extensions?.["persistedQuery"]);
  if (documentId === undefined || documentId === null) return hash;
  if (typeof documentId !== "string" || documentId === "" || documentId.length > ID_LENGTH) {
    refuse(["documentId"], "invalid_type", `'documentId' must be a string of at most ${ID_LENGTH} characters.`);
  }
  if (hash !== undefined && hash !== documentId) {
    refuse(
      ["documentId"],
      "contradiction",
      "'documentId' and 'extensions.persistedQuery' refer to different documents. Send only one of them.",
    );
  }
  return documentId;
}

function apolloHash(persistedQuery: unknown): string | undefined {
  if (persistedQuery === undefined || persistedQuery === null) return undefined;
  const path = ["extensions", "persistedQuery"];
  if (typeof persistedQuery !== "object") refuse(path, "invalid_type", "'persistedQuery' must be an object.");
  const { version, sha256Hash } = persistedQuery as { readonly version?: unknown; readonly sha256Hash?: unknown };
  if (version !== 1) refuse([...path, "version"], "invalid_value", "Only version 1 of persisted queries is supported.");
  if (typeof sha256Hash !== "string" || !HASH.test(sha256Hash)) {
    refuse([...path, "sha256Hash"], "invalid_format", "'sha256Hash' must be 64 lowercase hexadecimal digits.");
  }
  return `sha256:${sha256Hash}`;
}
