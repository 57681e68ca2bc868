import type { Model, ResourceModel } from "../model/model.ts";

/** A model and the resources of it that a store holds. */
export interface SchemaUse {
  readonly model: Model;
  readonly resources: readonly ResourceModel[];
}

/**
 * Compares the tables of a store with the model, and changes them with migration files. Works before the store is open.
 */
export interface SchemaTools {
  /** Returns the steps that make the database match the model. Throws if migrations in the folder are pending. */
  plan(use: SchemaUse, folder: string): Promise<SchemaPlan>;
  /**
   * Writes a plan as the next migration in the folder and returns its path. An empty plan creates an empty file to fill
   * in by hand.
   */
  write(folder: string, plan: SchemaPlan, name?: string): Promise<string>;
  /** Runs all pending migrations and returns their names. Each runs once, even if several instances start together. */
  apply(folder: string, options?: ApplyOptions): Promise<readonly string[]>;
  /**
   * Describes every difference between model and database and every pending migration. Returns an empty list if the
   * database matches.
   */
  check(use: SchemaUse, folder: string): Promise<readonly string[]>;
}

export interface ApplyOptions {
  /** Whether to run destructive migrations. Default false. */
  readonly allowDestructive?: boolean;
  /** Called after each migration. */
  readonly onApplied?: (name: string) => void;
}

export interface SchemaPlan {
  readonly steps: readonly SchemaStep[];
  /** The text of the migration file. */
  readonly text: string;
  /** The name of the file without its number: `create_books`. */
  readonly name: string;
}

export interface SchemaStep {
  /** Such as `add column books.isbn`. */
  readonly title: string;
  /** The data or the guarantee that is lost, or the reason why the step may fail. Such steps need permission to run. */
  readonly danger?: string;
  /** A possible alternative to the step. */
  readonly hint?: string;
  /** The statements without semicolons. */
  readonly statements: readonly string[];
}
