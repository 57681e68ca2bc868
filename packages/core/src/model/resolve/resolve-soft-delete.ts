import { kebabCase } from "../../util/kebab-case.ts";
import type { Draft, Drafts, Pass, Report } from "./draft.ts";
import { isObject, quoteName, suggest } from "./read-config.ts";

/** Resolves `softDelete`: its field, the action `restore`, and whether cascades keep the rows that they delete. */
export const resolveSoftDelete: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const { name, config, access } = draft;
    if (config["softDelete"] === undefined) {
      refuseRules(draft, report);
      continue;
    }
    draft.softDelete = readField(draft, report);
    if (draft.softDelete === undefined || access === undefined) continue;
    if (draft.actions.has("restore")) {
      report(`${name}.actions.restore`, "'softDelete' adds an action with this name.", "Rename the action.");
    } else if ([...draft.relations.keys()].some((relation) => kebabCase(relation) === "restore")) {
      report(`${name}.relations.restore`, "'softDelete' adds an action with this path.", "Rename the relation.");
    }
    draft.actions.set("restore", {
      name: "restore",
      on: "item",
      input: undefined,
      output: undefined,
      access: access.restore,
      description: `Restores a deleted ${name}, with everything that was deleted together with it.`,
      deprecated: undefined,
      deprecation: undefined,
      run: "restore",
    });
  }
  for (const draft of drafts.values()) if (draft.softDelete !== undefined) checkCascades(draft, drafts, report);
};

function readField(draft: Draft, report: Report): string | undefined {
  const { name, config, fields, key } = draft;
  const given = config["softDelete"];
  const at = `${name}.softDelete`;
  const field = typeof given === "string" ? fields.get(given) : undefined;
  if (field === undefined) {
    report(at, `Unknown field ${quoteName(given)}.`, suggest(given, [...fields.keys()]));
    return undefined;
  }
  if (field.type.kind !== "datetime" || !field.type.nullable) {
    const problem = `'${field.name}' can't hold the time of a deletion.`;
    report(at, problem, "Use z.iso.datetime().nullable(): it is null until the row is deleted.");
  }
  const isOwn = field.generated !== undefined || key.includes(field.name) || config["version"] === field.name;
  if (isOwn) report(at, `'${field.name}' is set in another way.`, "Use a field of its own for the deletion.");
  return field.name;
}

/** The rules for deleted rows have no effect without soft delete. */
function refuseRules({ name, config }: Draft, report: Report): void {
  const access = config["access"];
  for (const rule of ["deleted", "restore"]) {
    if (!isObject(access) || access[rule] === undefined) continue;
    report(
      `${name}.access.${rule}`,
      "Deletions remove the rows of this resource.",
      "Set softDelete, or remove the rule.",
    );
  }
}

/** A row that is deleted for good together with a parent that can be restored would be lost. */
function checkCascades({ name }: Draft, drafts: Drafts, report: Report): void {
  for (const child of drafts.values()) {
    if (child.softDelete !== undefined) continue;
    for (const relation of child.relations.values()) {
      if (relation.kind !== "belongsTo" || relation.target !== name || relation.onDelete !== "cascade") continue;
      const problem = `Deleting a ${name} would delete its ${child.plural} for good, although the ${name} can be restored.`;
      const fix = `Set softDelete on '${child.name}', or use onDelete: "restrict" or "setNull".`;
      report(`${child.name}.relations.${relation.name}`, problem, fix);
    }
  }
}
