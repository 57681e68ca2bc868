import type { ListQuery } from "./lens.ts";

/** Whether a relation is selected as groups of its rows. */
export function isGroups(wanted: true | ListQuery | undefined): boolean {
  return typeof wanted === "object" && (wanted.aggregate !== undefined || wanted.group !== undefined);
}

/** Converts `createdAt.month` to `createdAtMonth`, and `author.name` to `authorName`, as GraphQL names them. */
export function keyName(term: string): string {
  return term.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
}
