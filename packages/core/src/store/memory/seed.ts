import type { ResourceModel } from "../../model/model.ts";
import { type SeedData, seedLink, type SeedRow, seedRow, seedTarget } from "../seed-row.ts";
import { tokenOf } from "../../model/reference.ts";
import type { Committed } from "./committed.ts";
import { tokenOfRow } from "./store-view.ts";
import { freezeJson } from "./write.ts";

/** Fills a store at start. Throws if a row violates the definitions, because the mistake would go unnoticed later. */
export function seed(committed: Committed, resources: readonly ResourceModel[], data: SeedData): void {
  for (const [name, rows] of Object.entries(data)) {
    const { resource, table } = seedTarget(resources, name);
    for (const [index, given] of rows.entries()) {
      const at = `memoryStore: ${name}[${index}]`;
      if (resource !== undefined) insertOne(committed, resource, given, at);
      else {
        const [from, to] = seedLink(table, given, at);
        committed.links.set({ through: table }, tokenOf(from), tokenOf(to), true);
      }
    }
  }
}

function insertOne({ count, tableOf }: Committed, resource: ResourceModel, seeded: SeedRow, at: string): void {
  const row = seedRow(resource, seeded, at);
  for (const field of resource.fields.values()) {
    if (field.generated?.when !== "store") continue;
    const given = row[field.name];
    const next = count(resource.name, field.name, typeof given === "number" ? given : undefined);
    row[field.name] = given ?? next;
  }
  const table = tableOf(resource.name);
  if (table.get(tokenOfRow(resource, row)) !== undefined) throw new Error(`${at} has the same key as an earlier row.`);
  for (const group of resource.unique) {
    if (table.holderOf(group, row) === undefined) continue;
    throw new Error(`${at} has the same ${group.join(", ")} as an earlier row.`);
  }
  table.insert(freezeJson(row));
}
