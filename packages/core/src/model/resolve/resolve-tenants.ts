import type { TenantConfig } from "../../definition/resource-config.ts";
import type { FieldModel, RelationModel, TenantModel } from "../model.ts";
import { isSameFields } from "../reference.ts";
import type { Draft, Drafts, Pass, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName, suggest } from "./read-config.ts";

const OPTIONS = namesOf<TenantConfig<string>>({ field: true, of: true });
const KINDS: ReadonlySet<string> = new Set(["string", "uuid", "enum", "integer"]);

/** Resolves `tenant`. Unique groups then apply within a tenant, because a conflict would reveal rows of others. */
export const resolveTenants: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    draft.tenant = readTenant(draft, report);
    const { tenant } = draft;
    if (tenant === undefined) continue;
    draft.unique = draft.unique.map((group) => (group.includes(tenant.field) ? group : [tenant.field, ...group]));
    checkKey(draft, report);
  }
  for (const draft of drafts.values()) {
    draft.reachesTenants = reachesTenants(draft, drafts);
    checkReferences(draft, drafts, report);
    checkOnesOfTenants(draft, drafts, report);
  }
};

function readTenant({ name, config, fields }: Draft, report: Report): TenantModel | undefined {
  const given = config["tenant"];
  const at = `${name}.tenant`;
  if (given === undefined) return undefined;
  if (!isObject(given) || typeof given["of"] !== "function") {
    report(
      at,
      "Expected a field and a function.",
      'Pass { field: "orgId", of: (principal) => principal.claims?.orgId }.',
    );
    return undefined;
  }
  checkMembers(given, OPTIONS, at, report);
  const field = typeof given["field"] === "string" ? fields.get(given["field"]) : undefined;
  if (field === undefined) {
    report(`${at}.field`, `Unknown field ${quoteName(given["field"])}.`, suggest(given["field"], [...fields.keys()]));
    return undefined;
  }
  const isOwn =
    field.generated !== undefined || config["softDelete"] === field.name || config["version"] === field.name;
  if (!KINDS.has(field.type.kind) || field.type.nullable || field.codec !== undefined || isOwn) {
    report(`${at}.field`, `'${field.name}' can't hold the tenant of a row.`, "Use z.string(), z.uuid() or z.int().");
  }
  return { field: field.name, of: given["of"] as TenantModel["of"] };
}

/** A caller who chooses a key learns from a conflict that a row of another tenant has it. */
function checkKey({ name, key, fields }: Draft, report: Report): void {
  const isHidden = ({ generated, type }: FieldModel): boolean => generated !== undefined || type.kind === "uuid";
  if (key.map((part) => fields.get(part)).some((field) => field === undefined || isHidden(field))) return;
  const problem = "Callers choose the key, so a conflict would reveal the keys of other tenants.";
  report(`${name}.key`, problem, "Generate the key with uuid(), and list the field in 'unique' instead.");
}

function reachesTenants(root: Draft, drafts: Drafts): boolean {
  const seen = new Set([root]);
  for (const draft of seen) {
    if (draft.tenant !== undefined) return true;
    for (const { target } of draft.relations.values()) {
      const far = drafts.get(target);
      if (far !== undefined) seen.add(far);
    }
  }
  return false;
}

/**
 * A row without tenant can't reference one of a tenant: all callers could sort by that row. A value that is unique in a
 * tenant only identifies a row together with the tenant.
 */
function checkReferences({ name, tenant, relations }: Draft, drafts: Drafts, report: Report): void {
  for (const relation of relations.values()) {
    const far = drafts.get(relation.target);
    if (relation.kind !== "belongsTo" || far?.tenant === undefined || leadsWithinTenant(relation, tenant, far.tenant)) {
      continue;
    }
    const at = `${name}.relations.${relation.name}`;
    if (tenant === undefined) {
      const problem = `Rows of '${name}' have no tenant, so they can't reference '${far.name}', whose rows have one.`;
      report(at, problem, `Set tenant on '${name}'.`);
    } else if (relation.foreign.join() !== far.key.join()) {
      report(
        at,
        `Other tenants can have the same values in '${far.name}'.`,
        `Reference the key, or add '${far.tenant.field}' to the unique group and to both sides.`,
      );
    }
  }
}

/**
 * A unique group applies within a tenant. Without a checked reference, rows of several tenants can hold the same value,
 * and system calls would find them all.
 */
function checkOnesOfTenants({ name, tenant, relations }: Draft, drafts: Drafts, report: Report): void {
  for (const relation of relations.values()) {
    const far = drafts.get(relation.target);
    const { kind, local, foreign } = relation;
    if (kind !== "hasOne" || far?.tenant === undefined) continue;
    const isUnique = [far.key, ...far.unique].some((group) => isSameFields([...group].sort(), [...foreign].sort()));
    const isChecked = [...far.relations.values()].some(
      (back) =>
        back.kind === "belongsTo" &&
        back.target === name &&
        isSameFields(back.local, foreign) &&
        isSameFields(back.foreign, local),
    );
    if (isUnique || (tenant !== undefined && isChecked)) continue;
    const fields = foreign.length === 1 ? `"${foreign[0]}"` : `[${foreign.map((field) => `"${field}"`).join(", ")}]`;
    report(
      `${name}.relations.${relation.name}`,
      `Each tenant can have a row of '${far.name}' with the same '${foreign.join(", ")}', but hasOne allows only one.`,
      tenant === undefined ? "Use hasMany." : `Add belongsTo("${name}", ${fields}) to '${far.name}', or use hasMany.`,
    );
  }
}

/** Whether a reference contains the tenants of both rows at the same place, so that it can't lead to another tenant. */
function leadsWithinTenant(
  { local, foreign }: Pick<RelationModel, "local" | "foreign">,
  own: TenantModel | undefined,
  far: TenantModel,
): boolean {
  return own !== undefined && local.some((name, at) => name === own.field && foreign[at] === far.field);
}
