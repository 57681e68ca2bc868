import type { ClientDescription } from "@bifocal/core";
import type { Options, Page, Row } from "../lens.ts";

/** A change of `watch`. */
export type LiveChange =
  | { readonly kind: "created" | "updated" | "deleted" | "current"; readonly item: Row }
  | { readonly kind: "left"; readonly key: unknown }
  | { readonly kind: "reset" };

/** The part of a resource that live lists need. */
export interface LiveSource {
  readonly name: string;
  readonly describe: () => Promise<ClientDescription>;
  readonly list: (query: Options) => Promise<Page>;
  /** Calls `opened` when the server has begun to send changes. */
  readonly watch: (query: Options & { readonly opened: () => void }) => AsyncIterable<LiveChange>;
}

/** Keeps lists current: the option `live` of `createClient`. */
export type LiveLists = (source: LiveSource, query: Options) => AsyncIterableIterator<object>;
