import { parseArgs } from "node:util";

/** Reads `--name N` from the command line. */
export function countOption(name: string, fallback: number): number {
  const { values } = parseArgs({ options: { [name]: { type: "string" } } });
  const given = values[name];
  const count = typeof given === "string" ? Number(given) : fallback;
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} must be a positive integer.`);
  return count;
}
