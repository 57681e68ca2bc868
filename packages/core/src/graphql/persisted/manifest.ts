import { createHash } from "node:crypto";
import { DefinitionError, type DefinitionMistake } from "../../errors/definition-error.ts";

/** Documents by id, as the build of a client writes them down. */
export type Manifest = Readonly<Record<string, string>>;

const HASH_ID = /^sha256:/;

/** The "SHA256 hex document identifier" (GraphQL over HTTP, Appendix A). */
export function hashId(document: string): string {
  return `sha256:${createHash("sha256").update(document).digest("hex")}`;
}

/** Each document under its id and under its hash. Throws `DefinitionError` where an id is the hash of something else. */
export function readManifest(documents: Manifest): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const mistakes: DefinitionMistake[] = [];
  for (const [id, document] of Object.entries(documents)) {
    const hash = hashId(document);
    if (HASH_ID.test(id) && id !== hash) {
      const at = `graphql.persisted.documents["${id}"]`;
      mistakes.push({ at, problem: "The hash doesn't match the document.", fix: `Expected ${hash}.` });
    }
    known.set(id, document);
    known.set(hash, document);
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
  return known;
}
