import type { Warning } from "../../errors/warning.ts";

/** Until when a major version of Node is mended, by the schedule of its makers; odd ones end with the next even one's release. */
const ENDS: Readonly<Record<number, string>> = {
  22: "2027-04-30",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};
const LEAST = 22;

/** Whether this Node still gets the fixes of what is found in it. A version that is not known yet is newer than this list. */
export function* nodeWarnings(version = process.versions.node, today = new Date()): Generator<Warning> {
  const major = Number.parseInt(version, 10);
  const end = ENDS[major];
  const isOver = end === undefined ? major <= 23 : today.toISOString().slice(0, 10) > end;
  if (!isOver) return;
  const message = `Node.js ${version} no longer receives security fixes. Use a long-term support version, ${LEAST} or later.`;
  yield { code: "node_version", message };
}
