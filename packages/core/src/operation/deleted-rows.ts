/** Which soft-deleted rows a read returns: `only` these, or all rows `with` them. */
export type DeletedRows = "only" | "with";
