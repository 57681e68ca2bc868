import type { DialectName } from "../dialect/dialect.ts";

/** Matches a piece of SQL in which a semicolon doesn't end the statement, by dialect. */
const PIECES: Readonly<Record<DialectName, RegExp>> = {
  // Including escape strings and dollar quotes (PostgreSQL, 4.1.2.2 and 4.1.2.4).
  postgres:
    /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[\s\S]/gy,
  mysql:
    /--[ \t][^\n]*|--(?=\n)|#[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`]|``)*`|;|[\s\S]/gy,
  // A trigger contains statements and ends with `end`.
  sqlite:
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|create\s+(?:temp\s+|temporary\s+)?trigger\b[\s\S]*?;\s*end(?=\s*(?:;|$))|;|[\s\S]/giy,
};

/** Splits a file into statements without their leading comments and semicolons. */
export function splitStatements(dialect: DialectName, text: string): readonly string[] {
  const statements: string[] = [];
  let current = "";
  for (const [piece] of `${text};`.matchAll(PIECES[dialect])) {
    if (piece === ";") {
      if (current.trim() !== "") statements.push(current.trim());
      current = "";
    } else if (current.trim() !== "" || !isComment(dialect, piece)) current += piece;
  }
  return statements;
}

function isComment(dialect: DialectName, piece: string): boolean {
  // MySQL executes the content of version comments (`/*!`).
  if (piece.startsWith("/*")) return !(dialect === "mysql" && /^\/\*M?!/.test(piece)) && piece.length > 1;
  return piece.startsWith("--") || (dialect === "mysql" && piece.startsWith("#"));
}
