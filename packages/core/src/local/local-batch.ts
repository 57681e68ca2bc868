import { checkNames, lowerLocalCondition, preconditionOf } from "./local-options.ts";
import type { Limits } from "../limits/limits.ts";
import type { Key, Model, ResourceModel } from "../model/model.ts";
import type { RowCondition } from "../operation/row-condition.ts";
import type { Operation, Selected } from "../operation/operation.ts";
import type { BatchOutcome, Outcome } from "../operation/outcome.ts";

type Options = Readonly<Record<string, unknown>>;
interface BatchTarget {
  readonly model: Model;
  readonly limits: Limits;
  readonly resource: ResourceModel;
}

type Ask = (operation: Operation, options: Options) => Promise<Exclude<Outcome, { kind: "failure" }>>;

/** Returns the created rows, or null for rows that the caller can't read. */
export async function createBatch(
  { resource }: BatchTarget,
  ask: Ask,
  inputs: readonly unknown[],
  selected: Selected,
  options: Options,
): Promise<BatchOutcome["rows"]> {
  const operation = { kind: "createMany", resource: resource.name, inputs, form: "value", ...selected } as const;
  return (await askBatch(ask, operation, options)).rows;
}

/** Returns the ids of the updated rows. */
export async function updateBatch(
  target: BatchTarget,
  ask: Ask,
  filter: unknown,
  input: unknown,
  options: Options,
): Promise<readonly unknown[]> {
  const { resource } = target;
  const parts = { resource: resource.name, ...lowerCondition(target, filter, options), ...preconditionOf(options) };
  const { keys } = await askBatch(ask, { kind: "updateMany", ...parts, input, form: "value" }, options);
  return keys.map((key) => toId(resource, key));
}

/** Returns the ids of the deleted rows. */
export async function deleteBatch(
  target: BatchTarget,
  ask: Ask,
  filter: unknown,
  options: Options,
): Promise<readonly unknown[]> {
  const { resource } = target;
  const parts = { resource: resource.name, ...lowerCondition(target, filter, options), ...preconditionOf(options) };
  const { keys } = await askBatch(ask, { kind: "deleteMany", ...parts }, options);
  return keys.map((key) => toId(resource, key));
}

function lowerCondition({ model, resource, limits }: BatchTarget, filter: unknown, options: Options): RowCondition {
  checkNames(options, ["search", "signal", "ifMatch"], []);
  return lowerLocalCondition({ model, resource }, { filter, search: options["search"] }, limits, []);
}

async function askBatch(ask: Ask, operation: Operation, options: Options): Promise<BatchOutcome> {
  const outcome = await ask(operation, options);
  if (outcome.kind !== "batch") throw new Error("A bulk operation returned an unexpected outcome.");
  return outcome;
}

/** Returns a key in the form of local calls: the value, or an object if the key has several fields. */
function toId(resource: ResourceModel, key: Key): unknown {
  const parts = Array.isArray(key) ? (key as readonly (string | number)[]) : [key as string | number];
  const values = resource.key.map((name, index) => {
    const part = parts[index] as string | number;
    return [name, resource.fields.get(name)?.codec?.toValue(part) ?? part] as const;
  });
  return values.length === 1 ? values[0]?.[1] : Object.fromEntries(values);
}
