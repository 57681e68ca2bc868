import type { SchemaUse } from "./schema-tools.ts";
import type { Store } from "./store.ts";

/** A store of an API and the resources that it holds. */
export interface StoreUse extends SchemaUse {
  readonly store: Store;
}

/** The stores of an API. */
export interface WithStores {
  readonly "~stores": readonly StoreUse[];
}
