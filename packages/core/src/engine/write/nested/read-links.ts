import type { Issue } from "../../../errors/bifocal-error.ts";
import { isPlainObject } from "../../../errors/refuse.ts";
import type { InputForm, ResourceModel } from "../../../model/model.ts";
import type { NestedPart } from "../../../operation/nested-part.ts";
import { LINK_CHANGES } from "../../../operation/nested-part.ts";
import { type NamedKey, NamedKeys } from "./named-keys.ts";
import { readLists } from "./read-lists.ts";

/** The links that an input names. */
export interface NamedLinks {
  /** Whether the relation has exactly the links in `add` afterwards. */
  readonly isSet: boolean;
  readonly add: readonly NamedKey[];
  readonly remove: readonly NamedKey[];
  readonly issues: readonly Issue[];
}

/** Reads a list, which sets the links, or an object with `add` and `remove`. Paths start with the relation's name. */
export function readNamedLinks(part: NestedPart, target: ResourceModel, form: InputForm): NamedLinks {
  const { relation, given, mode } = part;
  const { name, links } = relation;
  const isSet = Array.isArray(given);
  if (!isSet && !(mode === "update" && isPlainObject(given))) {
    return { isSet, add: [], remove: [], issues: [malformed(part)] };
  }
  const issues: Issue[] = [];
  const lists = isSet ? { add: given, remove: [] } : readLists(given, name, LINK_CHANGES, issues);
  if (lists.add.length + lists.remove.length > links) {
    const message = `'${name}' can name at most ${links} rows here. Change the other links in separate requests.`;
    return { isSet, add: [], remove: [], issues: [{ path: [name], message, code: "too_big" }] };
  }
  const keys = new NamedKeys(target, form);
  const read = (list: "add" | "remove"): readonly NamedKey[] =>
    lists[list].flatMap((id: unknown, index) => keys.read(id, isSet ? [name, index] : [name, list, index], list) ?? []);
  return { isSet, add: read("add"), remove: read("remove"), issues: [...issues, ...keys.issues] };
}

function malformed({ relation: { name }, given, mode }: NestedPart): Issue {
  const path = [name];
  if (given === null) {
    const message = `'${name}' can't be null. Send an empty list to remove all links, or leave it out.`;
    return { path, message, code: "invalid_type" };
  }
  const change = mode === "update" ? ", or an object with 'add' and 'remove'" : "";
  return { path, message: `'${name}' must be a list of ids${change}.`, code: "invalid_type" };
}
