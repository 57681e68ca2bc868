/** How large a JSON value may be. */
export interface JsonLimits {
  /** Lists and objects in each other. */
  readonly depth: number;
  /** Members of one object. */
  readonly keys: number;
  /** Values in all, lists and objects included. Default: unlimited. */
  readonly values?: number;
}

interface Walk {
  readonly keys: number;
  /** How many more there may be. */
  left: number;
}

/** The limit that a value goes beyond, if it does; it is walked no further than that. */
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
