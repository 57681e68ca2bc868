import type { WatchSearch } from "../lens.ts";
import { writeQuery } from "./query-string.ts";
import { selectQuery } from "./select-query.ts";

export const watchSearch: WatchSearch = (description, resource, { filter, initial, select }) =>
  writeQuery({ ...selectQuery(description, resource, select), filter, initial: initial || undefined });
