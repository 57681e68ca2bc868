/** Whether lists and objects nest in each other more than `limit` times. */
export function isTooDeep(value: unknown, limit: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit <= 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (isTooDeep(inner, limit - 1)) return true;
  }
  return false;
}
