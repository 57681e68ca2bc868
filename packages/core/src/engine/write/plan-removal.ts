import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { keyOf, keyToken } from "../../operation/key.ts";
import type { Frame } from "../frame.ts";
import { eachRow } from "../read/each-row.ts";
import { incomingReferences, referencing } from "./incoming.ts";
import { regenerate } from "./build-row.ts";
import { orderRemoval } from "./order-removal.ts";

export interface Doomed {
  readonly resource: ResourceModel;
  readonly key: Key;
  readonly row: Row;
  /** References to others that go as well, which are emptied first because they lead round in a circle. */
  readonly loosened?: Row | undefined;
}

/** What else happens when a row is deleted. */
export interface Removal {
  /** Rows that go with it, each before what it points at. */
  readonly cascaded: readonly Doomed[];
  /** Rows that lose their reference. */
  readonly emptied: readonly { readonly resource: ResourceModel; readonly key: Key; readonly set: Row }[];
  /** As of those that go with it. */
  readonly loosened: Row | undefined;
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
  const root: Doomed = { resource, key, row };
  const isGoing = (from: ResourceModel, its: Key): boolean => from === resource && going?.has(keyToken(its)) === true;
  const cascaded: Doomed[] = [];
  const emptied = new Map<string, { resource: ResourceModel; key: Key; set: Row }>();
  const doomed = new Set([tokenOf(resource, key)]);

  async function follow(parent: Doomed): Promise<void> {
    for (const { from, relation, value } of pointingAt(frame, parent)) {
      if (relation.onDelete === "restrict" && (going === undefined || from !== resource)) continue;
      const rows: Row[] = [];
      await eachRow(frame, from, referencing(from, relation, value).filter, (found) => rows.push(found));
      for (const found of rows) {
        const foundKey = keyOf(from, found);
        const token = tokenOf(from, foundKey);
        if (doomed.has(token)) continue;
        if (relation.onDelete !== "cascade" && !isGoing(from, foundKey)) {
          // What restricts is looked at once it is known who goes.
          if (relation.onDelete === "restrict") continue;
          const set = { ...emptied.get(token)?.set, [relation.local]: null, ...regenerate(from) };
          emptied.set(token, { resource: from, key: foundKey, set });
        } else {
          doomed.add(token);
          const child = { resource: from, key: foundKey, row: found };
          await follow(child);
          cascaded.push(child);
        }
      }
    }
  }

  await follow(root);
  for (const parent of [root, ...cascaded]) await refuseHeld(frame, parent, doomed, resource);
  const left = [...emptied].flatMap(([token, one]) => (doomed.has(token) ? [] : [one]));
  return { ...orderRemoval(frame, root, cascaded), emptied: left };
}

/** Of the rows that hold a row, so many are read that one would be among them which does not go as well. */
async function refuseHeld(
  frame: Frame,
  parent: Doomed,
  doomed: ReadonlySet<string>,
  { name }: ResourceModel,
): Promise<void> {
  for (const { from, relation, value } of pointingAt(frame, parent)) {
    if (relation.onDelete !== "restrict") continue;
    const query = { ...referencing(from, relation, value), limit: doomed.size + 1 };
    const { rows } = await frame.storeOf(from.name).list(query, frame.context);
    if (rows.every((found) => doomed.has(tokenOf(from, keyOf(from, found))))) continue;
    const message = `This ${name} cannot be deleted while ${from.plural} point at it. Delete or change them first.`;
    throw new BifocalError("CONFLICT", message);
  }
}

function pointingAt(frame: Frame, { resource, row }: Doomed) {
  return incomingReferences(frame.engine.model, resource).flatMap(({ resource: from, relation }) => {
    const value = row[relation.foreign];
    return typeof value === "string" || typeof value === "number" ? [{ from, relation, value }] : [];
  });
}

function tokenOf(resource: ResourceModel, key: Key): string {
  return `${resource.name} ${keyToken(key)}`;
}
