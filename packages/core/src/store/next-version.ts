import type { ResourceModel, Row } from "../model/model.ts";

/** Returns the version field after a write; empty if the resource has no version or nothing is written. */
export function nextVersion({ version }: ResourceModel, before: Row, set: Row): Row {
  if (version === undefined || Object.keys(set).length === 0) return {};
  return { [version]: Number(before[version] ?? 0) + 1 };
}
