/** Returns whether a text was seen before, and remembers it. */
export type Sightings = (text: string) => boolean;

/** A power of two, so that the lowest bits of a hash are the index of its slot. */
const SLOTS = 16_384;

/**
 * Remembers a hash of each text. Another text can displace it, which makes the next sighting count as the first, and
 * texts with equal hashes count as the same text. So use it only to decide what is worth caching. It never allocates
 * memory for a text: texts that are seen once would otherwise outlive the young generation of the heap.
 */
export function createSightings(): Sightings {
  const hashes = new Int32Array(SLOTS);
  return (text) => {
    const hash = hashOf(text);
    const slot = hash & (SLOTS - 1);
    if (hashes[slot] === hash) return true;
    hashes[slot] = hash;
    return false;
  };
}

/** FNV-1a, with its bits mixed because only the lowest of them select the slot. Never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13) || 1;
}
