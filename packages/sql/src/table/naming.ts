import type { ResourceModel } from "@bifocal/core/store";

/** Names in the database for one resource. `naming` decides those that are absent. */
export interface TableOptions {
  /** The table name, with the schema before a dot if it isn't on the search path: `"shop.books"`. */
  readonly table?: string;
  /** Column names by field. */
  readonly columns?: Readonly<Record<string, string>>;
  /**
   * Columns, by their names in the database, that migrations never change: those with another type or unknown to the
   * model.
   */
  readonly keep?: readonly string[];
  /**
   * Text fields with a trigram index, which serves `contains` and `endsWith`. PostgreSQL only, with its extension
   * `pg_trgm`; migrations create both.
   */
  readonly trigrams?: readonly string[];
}

/**
 * Names of tables and columns. Default `"snake_case"`: `authorId` becomes `author_id`, and the table of `bookTag` is
 * `book_tags`. `"same"` uses the names of the model.
 */
export type Naming = "snake_case" | "same" | NamingRules;

export interface NamingRules {
  readonly table: (resource: ResourceModel) => string;
  readonly column: (field: string, resource: ResourceModel) => string;
  /** Returns the name of a link table or one of its columns. */
  readonly link: (name: string) => string;
}

export function snakeCase(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .toLowerCase();
}

const RULES: Readonly<Record<Exclude<Naming, NamingRules>, NamingRules>> = {
  snake_case: { table: ({ plural }) => snakeCase(plural), column: snakeCase, link: snakeCase },
  same: { table: ({ name }) => name, column: (field) => field, link: (name) => name },
};

/** Whether a value that a call from JavaScript passes has all functions. */
export function hasRules(naming: unknown): naming is NamingRules {
  const names = ["table", "column", "link"] satisfies (keyof NamingRules)[];
  return (
    typeof naming === "object" && naming !== null && names.every((name) => typeof naming[name as never] === "function")
  );
}

export function namingRules(naming: Naming = "snake_case"): NamingRules {
  return typeof naming === "string" ? RULES[naming] : naming;
}

/** Splits a name into its schema, if it has one, and the rest. */
export function splitName(name: string): { readonly schema: string | undefined; readonly name: string } {
  const dot = name.indexOf(".");
  return dot < 0 ? { schema: undefined, name } : { schema: name.slice(0, dot), name: name.slice(dot + 1) };
}
