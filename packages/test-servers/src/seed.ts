import { onTestFailed } from "vitest";

/**
 * The seed of a property, from `variable`, `PROPERTY_SEED`, or random. Printed if the test fails, also by its
 * timeout.
 */
export function drawSeed(variable: string): number {
  const seed = Number(process.env[variable] ?? process.env["PROPERTY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  onTestFailed(() => void process.stderr.write(`To see it again: ${variable}=${seed}\n`));
  return seed;
}
