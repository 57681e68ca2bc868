import { createLru } from "./lru.ts";
import { createSightings } from "./sightings.ts";

/** Returns the value with this key, or makes it. */
export type ShareByKey<Value> = (key: string, make: () => Value) => Value;

/**
 * Shares equal values, up to an estimated size of `most` bytes. The size of a value is estimated from the length of its
 * key. A value is cached from its second use on, so that values that are used once don't displace others.
 */
export function createShareByKey<Value>(most: number, bytesPerCharacter: number): ShareByKey<Value> {
  const kept = createLru<Value>(most);
  const wasSeen = createSightings();
  return (key, make) => {
    const before = kept.get(key);
    if (before !== undefined) return before;
    const made = make();
    if (wasSeen(key)) kept.set(key, made, key.length * bytesPerCharacter);
    return made;
  };
}
