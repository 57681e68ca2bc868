import { lowerFilter } from "../lowering/lower-filter.ts";
import { checkNames, lowerSelect, namedIn } from "./lower-select.ts";
import type { Limits } from "../limits/limits.ts";
import type { Key, Model, ResourceModel } from "../model/model.ts";
import type { Operation } from "../operation/operation.ts";
import type { BatchOutcome, Outcome } from "../operation/outcome.ts";
import { LOCAL_ROW } from "./local-result.ts";

type Options = Readonly<Record<string, unknown>>;
interface BatchTarget {
  readonly model: Model;
  readonly limits: Limits;
  readonly resource: ResourceModel;
}

type Ask = (operation: Operation, options: Options) => Promise<Exclude<Outcome, { kind: "failure" }>>;

/** Returns the methods of local calls that write many rows. */
export function localBatch({ model, limits, resource }: BatchTarget, ask: Ask): Options {
  const { name } = resource;
  const target = { model, resource };
  const filterOf = (filter: unknown): ReturnType<typeof lowerFilter> =>
    lowerFilter(target, filter, { form: "value", limits, path: ["filter"] });

  async function batch(operation: Operation, options: Options): Promise<BatchOutcome> {
    const outcome = await ask(operation, options);
    if (outcome.kind !== "batch") throw new Error("A bulk operation returned an unexpected outcome.");
    return outcome;
  }

  return {
    async createMany(inputs: readonly unknown[], options: Options = {}) {
      checkNames(options, ["select", "signal"], []);
      const selection = lowerSelect(target, options["select"], limits, ["select"]);
      const written = { inputs, form: "value", selection, ...namedIn(options) } as const;
      const operation = { kind: "createMany", resource: name, ...written } as const;
      const { rows } = await batch(operation, options);
      return rows.map((row) => row?.write(LOCAL_ROW) ?? null);
    },
    async updateMany(filter: unknown, input: unknown, options: Options = {}) {
      checkNames(options, ["signal"], []);
      const operation = { kind: "updateMany", resource: name, filter: filterOf(filter), input, form: "value" } as const;
      return (await batch(operation, options)).keys.map((key) => toId(resource, key));
    },
    async deleteMany(filter: unknown, options: Options = {}) {
      checkNames(options, ["signal"], []);
      const operation = { kind: "deleteMany", resource: name, filter: filterOf(filter) } as const;
      return (await batch(operation, options)).keys.map((key) => toId(resource, key));
    },
  };
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
