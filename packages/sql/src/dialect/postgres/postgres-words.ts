import { characterClass, MAX_SEARCHED_TEXT, MAX_WORD } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql } from "../dialect.ts";

/** PostgreSQL, 9.7.3.3. Texts can't contain NUL. */
const escape = (codePoint: number): string => `\\U${Math.max(1, codePoint).toString(16).padStart(8, "0")}`;
const SEPARATORS = characterClass("separators", escape);
const MARKS = characterClass("marks", escape);

/**
 * Returns the words of a text as a `tsvector`. The parser of PostgreSQL isn't used, because it separates words
 * differently from other databases.
 */
export function wordsOf(text: Sql, lower: (text: Sql) => Sql): Sql {
  const part = sql`left(${text}::text, ${sql.lit(MAX_SEARCHED_TEXT)})`;
  const bare = sql`normalize(regexp_replace(normalize(${part}, NFD), ${sql.lit(`[${MARKS}]+`)}, '', 'g'), NFC)`;
  const folded = sql`replace(${lower(bare)}, 'ς', 'σ')`;
  const longer = sql.lit(`([^${SEPARATORS}]{${MAX_WORD}})[^${SEPARATORS}]+`);
  const cut = sql`regexp_replace(${folded}, ${longer}, '\\1', 'g')`;
  const words = sql`regexp_split_to_array(${cut}, ${sql.lit(`[${SEPARATORS}]+`)})`;
  return sql`array_to_tsvector(array_remove(${words}, ''))`;
}
