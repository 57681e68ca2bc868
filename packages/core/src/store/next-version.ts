import type { ResourceModel, Row } from "../model/model.ts";

/** The version that a row has after a write; nothing where it has none, or nothing is written. */
export function nextVersion({ version }: ResourceModel, before: Row, set: Row): Row {
  if (version === undefined || Object.keys(set).length === 0) return {};
  return { [version]: Number(before[version] ?? 0) + 1 };
}
