import type { ResourceModel } from "../../model/model.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the fields whose objects a merge patch changes in part, so that writing them requires their current values
 * (RFC 7396 §2).
 */
export function nestedMembers(resource: ResourceModel, patch: unknown): readonly string[] {
  if (!isMembers(patch)) return [];
  return Object.keys(patch).filter((name) => {
    const field = resource.fields.get(name);
    const holdsObject = field?.input.kind === "object" || field?.input.kind === "json";
    return field?.internal === false && holdsObject && isMembers(patch[name]);
  });
}

/** Returns the patch with the final values of those fields. */
export function mergeInto(patch: Members, row: Members, nested: readonly string[]): Members {
  const input = { ...patch };
  for (const name of nested) input[name] = merge(row[name], patch[name]);
  return input;
}

/** RFC 7396 §2: null removes a member, objects are merged, and other values are replaced. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch;
  const merged = new Map<string, unknown>(isMembers(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
