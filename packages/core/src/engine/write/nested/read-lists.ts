import type { Issue } from "../../../errors/bifocal-error.ts";
import { isPlainObject } from "../../../errors/refuse.ts";
import { unrecognized } from "../../../model/parse/lost-keys.ts";

/** Reads the lists of an object such as `{ "add": [...], "remove": [...] }`. Malformed members become issues. */
export function readLists<Name extends string>(
  given: unknown,
  name: string,
  known: readonly Name[],
  issues: Issue[],
): Readonly<Record<Name, readonly unknown[]>> {
  const lists = Object.fromEntries(known.map((one) => [one, []])) as unknown as Record<Name, readonly unknown[]>;
  if (!isPlainObject(given)) return lists;
  for (const [member, list] of Object.entries(given)) {
    const path = [name, member];
    const own = known.find((one) => one === member);
    if (own === undefined) issues.push({ ...unrecognized(member, path, `'${name}'`, known) });
    else if (Array.isArray(list)) lists[own] = list as readonly unknown[];
    else if (list !== undefined) issues.push({ path, message: `'${member}' must be a list.`, code: "invalid_type" });
  }
  return lists;
}
