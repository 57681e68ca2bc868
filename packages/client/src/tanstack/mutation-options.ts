import type { QueryClient } from "@tanstack/query-core";
import { resourceNamed } from "../description.ts";
import { describeApi } from "../describe-api.ts";
import { invalidate } from "./invalidate.ts";
import { applyOptimistically, type Replaced, restore } from "./optimistic.ts";
import { SCOPE } from "./query-key.ts";
import { recordCall } from "./record-call.ts";
import { checkSettings } from "./check-settings.ts";

export interface MutationSettings<Name extends string> {
  /**
   * Whether an update, a replacement or a deletion changes cached rows at once. If the call fails, they are restored.
   * Default: false.
   */
  readonly optimistic?: boolean;
  /** The resources whose queries are read again after the call. Default: all. */
  readonly invalidates?: readonly Name[];
}

export interface BifocalMutationOptions<Data, Variables> {
  readonly mutationKey: readonly string[];
  readonly mutationFn: (variables: Variables) => Promise<Data>;
  readonly onMutate: (variables: Variables) => Promise<readonly Replaced[]>;
  readonly onError: (error: Error, variables: Variables, replaced: readonly Replaced[] | undefined) => void;
  readonly onSettled: () => Promise<void>;
}

/**
 * Returns the options of a mutation.
 * @example
 * const setPrice = mutationOptions(client, cache, ({ book }, { id, price }: Price) => book.update(id, { price }));
 */
export function mutationOptions<C extends object, Data, Variables = void>(
  client: C,
  cache: QueryClient,
  call: (client: C, variables: Variables) => Promise<Data>,
  settings: MutationSettings<keyof C & string> = {},
): BifocalMutationOptions<Data, Variables> {
  const { optimistic = false, invalidates } = settings;
  checkSettings("mutationOptions", settings, ["optimistic", "invalidates"], invalidates);
  if (typeof call !== "function")
    throw new TypeError("Pass the client, the QueryClient and a function to mutationOptions.");
  const mutationKey = [SCOPE, ...(invalidates ?? [])];
  return {
    mutationKey,
    mutationFn: async (variables) => call(client, variables),
    async onMutate(variables) {
      if (!optimistic) return [];
      const recorded = recordCall((recorder) => call(recorder, variables));
      const description = await describeApi(client);
      return applyOptimistically(cache, resourceNamed(description, recorded.path[0] ?? ""), recorded);
    },
    onError: (_, __, replaced = []) => restore(cache, replaced),
    async onSettled() {
      // A read would overwrite the optimistic result of a call that is still running. The last one reads.
      if (cache.isMutating({ mutationKey, exact: true }) > 1) return;
      await invalidate(client, cache, invalidates);
    },
  };
}
