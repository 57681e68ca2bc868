import { hashOf } from "./hash-of.ts";

/** Sends a document by its id, and its text only if the server doesn't know it. */
export async function postPersisted<T>(
  post: (parts: object) => Promise<T>,
  query: string,
  persisted: "only" | "automatic" | undefined,
  onDocument: ((id: string, text: string) => void) | undefined,
): Promise<T> {
  const documentId = await hashOf(query);
  onDocument?.(documentId, query);
  if (!persisted) return post({ query });
  try {
    return await post({ documentId });
  } catch (thrown) {
    if (persisted === "only" || (thrown as Error).message !== "PersistedQueryNotFound") throw thrown;
    return post({ documentId, query });
  }
}
