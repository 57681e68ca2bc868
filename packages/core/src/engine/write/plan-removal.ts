import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { keyOf, keyToken } from "../../operation/key.ts";
import type { Frame } from "../frame.ts";
import { eachRow } from "../read/each-row.ts";
import { incomingReferences, referencing } from "./incoming.ts";
import { regenerate } from "./build-row.ts";

interface Doomed {
  readonly resource: ResourceModel;
  readonly key: Key;
  readonly row: Row;
}

/** What else happens when a row is deleted. */
export interface Removal {
  /** Rows that go with it, children before parents. */
  readonly cascaded: readonly Doomed[];
  /** Rows that lose their reference. */
  readonly emptied: readonly { readonly resource: ResourceModel; readonly key: Key; readonly set: Row }[];
}

/**
 * Follows every reference to a row. Throws CONFLICT where one of them restricts and its row does not go as well. `going`:
 * tokens of keys of the resource that are removed by the same operation, however they point.
 */
export async function planRemoval(
  frame: Frame,
  resource: ResourceModel,
  key: Key,
  row: Row,
  going?: ReadonlySet<string>,
): Promise<Removal> {
  const cascaded: Doomed[] = [];
  const emptied = new Map<string, { resource: ResourceModel; key: Key; set: Row }>();
  const holding: { readonly token: string; readonly plural: string }[] = [];
  const doomed = new Set([tokenOf(resource, key)]);

  async function follow(parent: ResourceModel, parentRow: Row): Promise<void> {
    for (const { resource: from, relation } of incomingReferences(frame.engine.model, parent)) {
      const value = parentRow[relation.foreign];
      if (typeof value !== "string" && typeof value !== "number") continue;
      const rows: Row[] = [];
      await eachRow(frame, from, referencing(from, relation, value).filter, (found) => rows.push(found));
      for (const found of rows) {
        const foundKey = keyOf(from, found);
        const token = tokenOf(from, foundKey);
        if (doomed.has(token)) continue;
        const goes = relation.onDelete === "cascade" || (from === resource && going?.has(keyToken(foundKey)) === true);
        if (!goes && relation.onDelete === "restrict") holding.push({ token, plural: from.plural });
        else if (!goes) {
          const set = { ...emptied.get(token)?.set, [relation.local]: null, ...regenerate(from) };
          emptied.set(token, { resource: from, key: foundKey, set });
        } else {
          doomed.add(token);
          await follow(from, found);
          cascaded.push({ resource: from, key: foundKey, row: found });
        }
      }
    }
  }

  await follow(resource, row);
  const held = holding.find(({ token }) => !doomed.has(token));
  if (held !== undefined) {
    const message = `This ${resource.name} cannot be deleted while ${held.plural} point at it. Delete or change them first.`;
    throw new BifocalError("CONFLICT", message);
  }
  return { cascaded, emptied: [...emptied].flatMap(([token, one]) => (doomed.has(token) ? [] : [one])) };
}

function tokenOf(resource: ResourceModel, key: Key): string {
  return `${resource.name} ${keyToken(key)}`;
}
