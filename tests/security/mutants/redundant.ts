/**
 * Mutants that survive because another check gives the same protection, by the name of the check, with the reason. A run
 * fails if one of them is killed, because it then belongs to the others.
 */
export const REDUNDANT: Readonly<Record<string, string>> = {
  "the inverse relation is reused only if all rows are visible":
    "rows at the end of a relation were already read, or checked, as visible. The check keeps plans of callers with other rights apart.",
  "characters of a cursor":
    "a longer cursor has no valid signature either. The limit bounds how much is decoded to find that out.",
  "internal fields are not recorded":
    "changes are compared over `storedFields`, which has no internal fields. The check also keeps them out of the names that the read rule of an entry lists.",
};
