import type { Model, ResourceModel } from "../model/model.ts";
import type { Store } from "./store.ts";

/** A store of an API, with what it holds. */
export interface StoreUse {
  readonly store: Store;
  readonly model: Model;
  readonly resources: readonly ResourceModel[];
}

/** An API by its stores. */
export interface WithStores {
  readonly "~stores": readonly StoreUse[];
}

/** How a store compares its tables with the model, and changes them by migration files. It need not be open for that. */
export interface SchemaTools {
  /** What has to be done for the database to fit. Throws where migrations of the folder still wait. */
  plan(use: StoreUse, folder: string): Promise<SchemaPlan>;
  /** Writes a plan as the next migration of the folder, or an empty one to be written by hand. Answers its path. */
  write(folder: string, plan: SchemaPlan, name?: string): Promise<string>;
  /** Runs the migrations that the database has no record of, each once, however many instances start together. Answers their names. */
  apply(folder: string, options?: ApplyOptions): Promise<readonly string[]>;
  /** Every difference between model and database, and every migration that waits, as sentences. Empty: all is well. */
  check(use: StoreUse, folder: string): Promise<readonly string[]>;
}

export interface ApplyOptions {
  /** Runs what takes data away, too. Default false. */
  readonly allowDestructive?: boolean;
  /** Told of each migration once it is done. */
  readonly onApplied?: (name: string) => void;
}

export interface SchemaPlan {
  readonly steps: readonly SchemaStep[];
  /** The migration file. */
  readonly text: string;
  /** What to call it, without its number: `create_books`. */
  readonly name: string;
}

export interface SchemaStep {
  /** `add column books.isbn` */
  readonly title: string;
  /** What is lost by it, or why it may fail: it is planned only where that is allowed. */
  readonly danger?: string;
  /** What else may have been meant. */
  readonly hint?: string;
  /** The statements, without semicolons. */
  readonly statements: readonly string[];
}
