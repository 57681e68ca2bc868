import { onTestFailed } from "vitest";

/** Where a property of the test that runs begins: `variable` says, `PROPERTY_SEED`, or chance. Printed where it fails, also by its time-out. */
export function drawSeed(variable: string): number {
  const seed = Number(process.env[variable] ?? process.env["PROPERTY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  onTestFailed(() => void process.stderr.write(`To see it again: ${variable}=${seed}\n`));
  return seed;
}
