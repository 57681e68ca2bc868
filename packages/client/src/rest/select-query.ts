import type { ClientDescription, ClientResource } from "@bifocal/core";
import type { ListQuery, Select } from "../lens.ts";

/** Returns `fields` and `rel` for a selection. Without one, the response contains all fields. */
export function selectQuery(
  description: ClientDescription,
  resource: ClientResource,
  select: Select | undefined,
): Readonly<Record<string, unknown>> {
  if (select === undefined) return {};
  const fields: string[] = [];
  const rel: Record<string, unknown> = {};
  const walk = (of: ClientResource, selected: Select, prefix: string): void => {
    const before = fields.length;
    for (const [name, wanted] of Object.entries(selected)) {
      const path = prefix + name;
      if (typeof wanted !== "object") {
        if (wanted) fields.push(path);
        continue;
      }
      if (wanted.aggregate !== undefined || wanted.group !== undefined) {
        rel[path] = groupsQuery(wanted);
        continue;
      }
      const relation = of.relations[name];
      if (wanted.select === undefined || relation === undefined) fields.push(path);
      else walk(description.resources[relation.to] as ClientResource, wanted.select, `${path}.`);
      const parts = listQuery(wanted);
      if (Object.keys(parts).length > 0) rel[path] = parts;
    }
    // A selection can't be empty, so the key stands for it.
    if (fields.length === before) fields.push(...of.key.map((name) => prefix + name));
  };
  walk(resource, select, "");
  return { fields: fields.join(","), rel: Object.keys(rel).length === 0 ? undefined : rel };
}

/** Returns the parameters of a list, without those that are empty. URLs separate names by commas. */
export function listQuery({ filter, search, sort, page }: ListQuery): Readonly<Record<string, unknown>> {
  const parts = { filter, q: search, sort: sort?.join(","), page };
  return Object.fromEntries(
    Object.entries(parts).filter(([, part]) => part !== undefined && Object.keys(part).length > 0),
  );
}

/** Returns the parameters of groups. */
export function groupsQuery(query: ListQuery): Readonly<Record<string, unknown>> {
  const { aggregate, group, having } = query;
  return {
    ...listQuery(query),
    aggregate: aggregate?.join(",") || undefined,
    group: group?.join(",") || undefined,
    having,
  };
}
