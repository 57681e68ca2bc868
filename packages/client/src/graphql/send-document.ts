import type { Call } from "../lens.ts";
import { errorOf, type Reply, type Transport } from "../transport.ts";
import type { Document } from "./document.ts";
import type { ResponseBody } from "./response.ts";
import { loadPart } from "../load-part.ts";

export interface SentDocument {
  readonly document: Document;
  readonly isWrite: boolean;
  readonly onDocument?: (id: string, text: string) => void;
}

/** Sends a document: by its id if the server has persisted documents, otherwise as text. */
export async function sendDocument<T>(
  { send }: Transport,
  { description, options: { signal } }: Call,
  { document, isWrite, onDocument }: SentDocument,
  read: (reply: Reply) => T | Promise<T>,
): Promise<T> {
  const { persisted, path } = description.graphql;
  const { text: query, variables } = document;
  const headers = { Accept: "application/graphql-response+json", Prefer: "row-version" };
  const post = async (parts: object): Promise<T> =>
    send({ method: "POST", path, headers, body: { ...parts, variables }, signal, isWrite }, (reply) => {
      if (reply.status >= 400 && !isResult(reply.body)) throw errorOf(reply, reply.body);
      return read(reply);
    });
  if (!persisted && !onDocument) return post({ query });
  const { postPersisted } = await loadPart(import("./post-persisted.ts"));
  return postPersisted(post, query, persisted, onDocument);
}

/** A problem (RFC 9457) has a type. */
function isResult(body: unknown): body is ResponseBody {
  const { data, errors, type } = (body ?? {}) as Record<string, unknown>;
  return !type && (data !== undefined || Array.isArray(errors));
}
