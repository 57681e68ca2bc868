import type { ResourceModel } from "@bifocal/core/store";

/** What stands in the database, for one resource; what is absent is named by `naming`. */
export interface TableOptions {
  /** The table, with its schema before a dot if it is not on the search path: `"shop.books"`. */
  readonly table?: string;
  /** Columns by field. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Columns that migrations leave as they are, by their names in the database: of another type, or unknown to the model. */
  readonly keep?: readonly string[];
}

/** Names of tables and columns. Default `"snake_case"`: `authorId` is `author_id`, the resource `bookTag` is `book_tags`. `"same"`: as the model has them. */
export type Naming = "snake_case" | "same" | NamingRules;

export interface NamingRules {
  readonly table: (resource: ResourceModel) => string;
  readonly column: (field: string, resource: ResourceModel) => string;
  /** A table of links, and its two columns. */
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

export function namingRules(naming: Naming = "snake_case"): NamingRules {
  return typeof naming === "string" ? RULES[naming] : naming;
}

/** A name with its schema, if it has one. */
export function splitName(name: string): { readonly schema: string | undefined; readonly name: string } {
  const dot = name.indexOf(".");
  return dot < 0 ? { schema: undefined, name } : { schema: name.slice(0, dot), name: name.slice(dot + 1) };
}
