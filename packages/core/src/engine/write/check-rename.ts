import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, ResourceModel, Row } from "../../model/model.ts";
import type { Frame } from "../frame.ts";
import { incomingReferences, linkRelations, referencing } from "./incoming.ts";

/** Whether a write changes the key. */
export function isRename(resource: ResourceModel, key: Key, set: Row): boolean {
  const parts = Array.isArray(key) ? (key as readonly (string | number)[]) : [key];
  return resource.key.some((name, index) => set[name] !== undefined && set[name] !== parts[index]);
}

/** A key that others point at stays as it is: they would point at nothing. */
export async function checkRename(frame: Frame, resource: ResourceModel, key: Key): Promise<void> {
  if (Array.isArray(key)) return;
  const value = key as string | number;
  for (const { resource: from, relation } of incomingReferences(frame.engine.model, resource)) {
    const query = { ...referencing(from, relation, value), limit: 1 };
    const { rows } = await frame.storeOf(from.name).list(query, frame.context);
    if (rows.length > 0) throw conflict(resource, from.plural);
  }
  for (const relation of linkRelations(frame.engine.model, resource)) {
    const target = frame.engine.model.resources.get(relation.target) as ResourceModel;
    const query = { ...referencing(target, relation, value), filter: undefined, relation, parents: [value], limit: 1 };
    const [page] = await frame.storeOf(target.name).listPer(query, frame.context);
    if (page !== undefined && page.rows.length > 0) throw conflict(resource, target.plural);
  }
}

function conflict(resource: ResourceModel, plural: string): BifocalError {
  return new BifocalError("CONFLICT", `The key of this ${resource.name} cannot change while ${plural} point at it.`);
}
