import type { Warning } from "../../errors/warning.ts";

/**
 * When the security support of each major version of Node ends, by its release schedule. Odd versions are supported
 * until the next even one is released.
 */
const ENDS: Readonly<Record<number, string>> = {
  22: "2027-04-30",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};
const MIN_VERSION = 22;

/**
 * Warns if this version of Node no longer receives security fixes. Unknown versions are assumed to be newer than this
 * list.
 */
export function* nodeWarnings(version = process.versions.node, today = new Date()): Generator<Warning> {
  const major = Number.parseInt(version, 10);
  const end = ENDS[major];
  const isOver = end === undefined ? major <= 23 : today.toISOString().slice(0, 10) > end;
  if (!isOver) return;
  const message = `Node.js ${version} no longer receives security fixes. Use a long-term support version, ${MIN_VERSION} or later.`;
  yield { code: "node_version", message };
}
