import { resourceNamed } from "../description.ts";
import { hashOf } from "../graphql/hash-of.ts";
import { loadGroups } from "../groups.ts";
import type { OpenedQuery, ReceivedChange, WatchParts } from "../watch.ts";
import { createChangeQueue } from "./change-queue.ts";
import { createChangeReader, errorOf } from "./change-reader.ts";
import type { SharedSocket } from "./shared-socket.ts";
import { subscriptionDocument } from "./subscription-document.ts";

/** Subscribes to the changes of a watch. Resolves when the server sends them. */
export async function openSubscription(
  socket: SharedSocket,
  { describe, name }: WatchParts,
  query: OpenedQuery,
  onDocument: ((id: string, text: string) => void) | undefined,
): Promise<AsyncIterable<ReceivedChange>> {
  const { signal } = query;
  const description = await describe();
  const { persisted, path, statuses } = description.graphql;
  const resource = resourceNamed(description, name);
  const groups = await loadGroups(query);
  const { field, document } = await subscriptionDocument(description, resource, query, groups);
  const { text, variables } = document;
  const documentId = persisted === "only" || onDocument ? await hashOf(text) : "";
  onDocument?.(documentId, text);
  const payload = persisted === "only" ? { query: "", documentId, variables } : { query: text, variables };
  const read = createChangeReader({ description, resource, query, groups, field });
  signal.throwIfAborted();

  const queue = createChangeQueue();
  let unsubscribe = (): void => {};
  let ending: { readonly error: unknown } | undefined;
  let end: (error?: unknown) => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = (error) => {
      if (ending !== undefined) return;
      ending = { error };
      signal.removeEventListener("abort", abort);
      unsubscribe();
      socket.release();
      queue.end(error);
      resolve();
    };
  });
  const abort = (): void => end(signal.reason);
  signal.addEventListener("abort", abort);

  async function open(): Promise<void> {
    await socket.open(path);
    if (ending !== undefined) return;
    unsubscribe = socket.subscribe(payload, {
      next(result) {
        try {
          // After the waiting changes, this watch subscribes again.
          if (!queue.put(read(result))) end();
        } catch (thrown) {
          end(thrown);
        }
      },
      refuse: ([error]) => end(errorOf(error, statuses)),
      end,
    });
    await socket.whenOpened();
  }
  const opened = open().catch(end);
  await Promise.race([opened, ended]);
  if (ending?.error !== undefined) throw ending.error;
  return queue;
}
