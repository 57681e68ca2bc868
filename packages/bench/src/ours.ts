/** Contenders that the others are compared with. */
const OURS = [
  "bifocal-fastify",
  "bifocal-node-http",
  "sql-bifocal",
  "sql-bifocal flat",
  "sql-bifocal one",
  "sql-writes-bifocal postgres",
  "sql-writes-bifocal sqlite",
];

/** Returns those of the contenders that the others are compared with. A number of rows may follow a name. */
export function oursOf(names: readonly string[]): readonly string[] {
  return names.filter((name) => OURS.includes(name.replace(/ \d+$/, "")));
}
