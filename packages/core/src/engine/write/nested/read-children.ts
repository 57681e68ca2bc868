import type { Issue } from "../../../errors/bifocal-error.ts";
import { isPlainObject } from "../../../errors/refuse.ts";
import type { InputForm, ResourceModel } from "../../../model/model.ts";
import type { NestedPart } from "../../../operation/nested-part.ts";
import { CHILD_CHANGES } from "../../../operation/nested-part.ts";
import type { Precondition } from "../../../operation/operation.ts";
import { parsePrecondition } from "../../../operation/parse-precondition.ts";
import { type NamedKey, NamedKeys } from "./named-keys.ts";
import { readLists } from "./read-lists.ts";

/** A row to update along a relation. */
export interface NamedChange extends NamedKey {
  /** The fields to write, without the id. */
  readonly input: unknown;
  readonly ifMatch: Precondition | undefined;
}

/** The rows that an update creates, updates and deletes along a relation. */
export interface NamedChildren {
  readonly create: readonly unknown[];
  readonly update: readonly NamedChange[];
  readonly delete: readonly NamedKey[];
  readonly issues: readonly Issue[];
}

/** Reads an object with `create`, `update` and `delete`. Paths start with the relation's name. */
export function readNamedChildren(part: NestedPart, target: ResourceModel, form: InputForm): NamedChildren {
  const { relation, given } = part;
  const { name, writes } = relation;
  const issues: Issue[] = [];
  if (!isPlainObject(given)) {
    const message = `'${name}' must be an object with ${CHILD_CHANGES.map((one) => `'${one}'`).join(", ")}. A list can't replace its rows.`;
    return { create: [], update: [], delete: [], issues: [{ path: [name], message, code: "invalid_type" }] };
  }
  const lists = readLists(given, name, CHILD_CHANGES, issues);
  for (const kind of CHILD_CHANGES) {
    if (lists[kind].length <= writes[kind]) continue;
    const most = writes[kind];
    const message =
      most === 0
        ? `This request can't ${kind} rows of '${name}'. Leave '${kind}' out.`
        : `'${kind}' can have at most ${most} rows here. Write the others in separate requests.`;
    issues.push({ path: [name, kind], message, code: "too_big" });
  }
  if (issues.some(({ code }) => code === "too_big")) return { create: [], update: [], delete: [], issues };
  const keys = new NamedKeys(target, form);
  const update = lists.update.flatMap((one, index) => readChange(one, [name, "update", index], keys) ?? []);
  const removed = lists.delete.flatMap((id, index) => keys.read(id, [name, "delete", index], "delete") ?? []);
  return { create: lists.create, update, delete: removed, issues: [...issues, ...keys.issues] };
}

function readChange(given: unknown, path: Issue["path"], keys: NamedKeys): NamedChange | undefined {
  if (!isPlainObject(given)) {
    keys.issues.push({ path, message: "Expected an object with 'id' and the fields to change.", code: "invalid_type" });
    return undefined;
  }
  const { id, ifMatch, ...input } = given;
  if (id === undefined || id === null) {
    keys.issues.push({ path: [...path, "id"], message: "'id' is required.", code: "required" });
    return undefined;
  }
  const version = ifMatch === null ? undefined : parsePrecondition(ifMatch);
  if (ifMatch !== undefined && ifMatch !== null && version === undefined) {
    const message = "'ifMatch' must be a version, a comma-separated list of versions, or '*'.";
    keys.issues.push({ path: [...path, "ifMatch"], message, code: "invalid_type" });
  }
  const found = keys.read(id, [...path, "id"], "update");
  return found && { ...found, input, ifMatch: version };
}
