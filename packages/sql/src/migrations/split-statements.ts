import type { DialectName } from "../dialect/dialect.ts";

/** What a semicolon may stand in without ending anything, by dialect; each pattern matches one whole piece. */
const PIECES: Readonly<Record<DialectName, RegExp>> = {
  // Escaped strings, dollar quotes (PostgreSQL, 4.1.2.2 and 4.1.2.4).
  postgres:
    /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[\s\S]/gy,
  mysql:
    /--[ \t][^\n]*|--(?=\n)|#[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`]|``)*`|;|[\s\S]/gy,
  // A trigger has statements within, and ends with `end`.
  sqlite:
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|create\s+(?:temp\s+|temporary\s+)?trigger\b[\s\S]*?;\s*end(?=\s*(?:;|$))|;|[\s\S]/giy,
};

/** The statements of a file, without comments in front of them and without their semicolons. */
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
  // MySQL runs what stands in `/*! … */`.
  if (piece.startsWith("/*")) return !(dialect === "mysql" && /^\/\*M?!/.test(piece)) && piece.length > 1;
  return piece.startsWith("--") || (dialect === "mysql" && piece.startsWith("#"));
}
