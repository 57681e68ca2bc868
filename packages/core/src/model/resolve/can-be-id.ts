import type { Draft } from "./draft.ts";

/** Whether a segment of a path could also be the id of a row. */
export function canBeId({ key, schemas }: Draft, segment: string): boolean {
  const schema = schemas.get(key[0] ?? "");
  // The id of a key with several fields contains a comma.
  if (key.length !== 1 || schema === undefined) return false;
  try {
    return schema.safeParse(segment).success;
  } catch {
    return false;
  }
}
