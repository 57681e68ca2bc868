import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { keyOf } from "../../operation/key.ts";
import type { CreateOperation } from "../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../operation/outcome.ts";
import { denied, isAlways } from "../access/decide.ts";
import { type Frame, resourceOf } from "../frame.ts";
import { matchesRow } from "../read/match-rows.ts";
import { notFound, readVisible } from "../run-get.ts";
import { answerRow } from "./answer-row.ts";
import { buildRow } from "./build-row.ts";
import { type CheckedInput, checkInput, invalid } from "./check-input.ts";
import { checkReferences, setReferences } from "./check-references.ts";
import { publish, transact } from "./transact.ts";

export async function runCreate(frame: Frame, operation: CreateOperation): Promise<ItemOutcome | NothingOutcome> {
  const resource = resourceOf(frame.engine.model, operation.resource);
  const input = operation.within === undefined ? operation.input : await inputWithin(frame, operation, resource);
  const checked = await checkInput(frame, {
    resource,
    mode: "create",
    rule: resource.access.create,
    input,
    form: operation.form,
    what: `create ${resource.plural}`,
  });
  const row = await insertRow(frame, resource, checked);
  return answerRow(frame, resource, row, operation.selection);
}

async function insertRow(
  frame: Frame,
  resource: ResourceModel,
  { row: written, decision }: CheckedInput,
): Promise<Row> {
  const row = buildRow(resource, written);
  const isPlain = isAlways(decision) && setReferences(resource, row).length === 0;
  if (isPlain) {
    const after = await insert(frame, resource, row);
    await publish(frame, [{ resource: resource.name, kind: "created", key: keyOf(resource, after), after }]);
    return after;
  }
  // What the row points at must still be there when it is.
  return transact(frame, resource.name, async (inner, events) => {
    if (!isAlways(decision) && !(await matchesRow(inner, resource, row, decision))) {
      throw denied(frame, `create this ${resource.name}`);
    }
    await checkReferences(inner, resource, row);
    const after = await insert(inner, resource, row);
    events.push({ resource: resource.name, kind: "created", key: keyOf(resource, after), after });
    return after;
  });
}

async function insert(frame: Frame, resource: ResourceModel, row: Row): Promise<Row> {
  const [inserted] = await frame.storeOf(resource.name).insert({ resource, rows: [row] }, frame.context);
  if (inserted === undefined) throw new Error(`The store of '${resource.name}' did not answer the row it inserted.`);
  return inserted;
}

/** The input with the field that points at the row within which it is created. */
async function inputWithin(frame: Frame, operation: CreateOperation, resource: ResourceModel): Promise<unknown> {
  const { within, input } = operation;
  if (within === undefined) return input;
  const parent = resourceOf(frame.engine.model, within.resource);
  const relation = parent.relations.get(within.relation) as RelationModel;
  if (relation.through !== undefined || relation.kind === "belongsTo") {
    throw new BifocalError(
      "METHOD_NOT_ALLOWED",
      `Nothing is created inside '${within.relation}'. Create it, then link it.`,
    );
  }
  const row = await readVisible(frame, parent, within.key);
  if (row === undefined) throw notFound(parent);
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const points = row[relation.local] as Key;
  const given: unknown = (input as Record<string, unknown>)[relation.foreign];
  if (given !== undefined && given !== points) {
    const message = `'${relation.foreign}' says another ${parent.name} than the one it is created in. Leave it out.`;
    throw invalid([{ path: [relation.foreign], message, code: "contradiction" }]);
  }
  const field = resource.fields.get(relation.foreign);
  const value = operation.form === "value" && field?.codec !== undefined ? field.codec.toValue(points) : points;
  return { ...input, [relation.foreign]: value };
}
