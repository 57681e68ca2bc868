/** The maximum size of a JSON value. */
export interface JsonLimits {
  /** Levels of nested lists and objects. */
  readonly depth: number;
  /** Members of one object. */
  readonly keys: number;
  /** Total number of values, including lists and objects. Default: unlimited. */
  readonly values?: number;
}

interface Walk {
  readonly keys: number;
  /** Number of values that are left. */
  left: number;
}

/** Returns the limit that a value exceeds, or undefined. The walk stops at the first excess. */
export function jsonExcess(value: unknown, limits: JsonLimits): keyof JsonLimits | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return excessOf(value, limits.depth, { keys: limits.keys, left: (limits.values ?? Infinity) - 1 });
}

function excessOf(value: object, depth: number, walk: Walk): keyof JsonLimits | undefined {
  if (depth <= 0) return "depth";
  let keys = 0;
  if (Array.isArray(value)) {
    for (const inner of value) {
      const excess = innerExcess(inner, depth, walk);
      if (excess !== undefined) return excess;
    }
    return undefined;
  }
  for (const name in value) {
    if (++keys > walk.keys) return "keys";
    const excess = innerExcess((value as Record<string, unknown>)[name], depth, walk);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

function innerExcess(inner: unknown, depth: number, walk: Walk): keyof JsonLimits | undefined {
  if (--walk.left < 0) return "values";
  return typeof inner === "object" && inner !== null ? excessOf(inner, depth - 1, walk) : undefined;
}
