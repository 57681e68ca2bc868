import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Generator } from "../../../definition/generated.ts";
import type { FieldModel, ResourceModel, Row } from "../../../model/model.ts";
import { storedValue } from "../../../model/parse/input-parser.ts";
import type { Json } from "../../../util/json.ts";
import { denied } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";

/** A field of a new row. `source`: where its value comes from if the input doesn't set it. */
interface RowPart {
  readonly field: FieldModel;
  readonly name: string;
  readonly source: "default" | "tenant" | "generator" | "store";
  readonly fallback: Json;
}

const PARTS = new WeakMap<ResourceModel, readonly RowPart[]>();

/**
 * Builds a new row from the written fields, generated values and defaults. Fields that the store generates are omitted.
 */
export function buildRow(context: OperationContext, resource: ResourceModel, written: Row): Row {
  const row: Record<string, Json> = {};
  for (const { field, name, source, fallback } of partsOf(resource)) {
    const given = written[name];
    if (source === "tenant") row[name] = tenantOf(context, resource, given);
    else if (given !== undefined) row[name] = given;
    else if (source === "default") row[name] = fallback;
    else if (source === "generator") row[name] = makeValue(context, resource, field);
  }
  return row;
}

function partsOf(resource: ResourceModel): readonly RowPart[] {
  let parts = PARTS.get(resource);
  if (parts === undefined) {
    // The store sets the version.
    const fields = [...resource.fields.values()].filter(({ name }) => name !== resource.version);
    parts = fields.map((field) => {
      const { name, default: fallback = null } = field;
      return { field, name, source: sourceOf(resource, field), fallback };
    });
    PARTS.set(resource, parts);
  }
  return parts;
}

function sourceOf({ tenant }: ResourceModel, { name, generated }: FieldModel): RowPart["source"] {
  if (name === tenant?.field) return "tenant";
  if (generated === undefined) return "default";
  return generated.when === "store" ? "store" : "generator";
}

/** Returns the tenant of a new row: that of the caller, or the given one for system code of all tenants. */
function tenantOf(context: OperationContext, resource: ResourceModel, given: Json | undefined): Json {
  const reach = context.scope?.tenants.reachOf(resource) ?? "all";
  if (typeof reach === "object") return given ?? reach.tenant;
  if (given !== undefined && given !== null) return given;
  const message = `A system call needs a tenant to create ${resource.plural}: asSystem(reason, { tenant }).`;
  throw new BifocalError("BAD_REQUEST", message);
}

/** Returns new values for the fields that are generated on every change. */
export function regenerate(context: OperationContext, resource: ResourceModel): Row {
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    if (field.generated?.when === "write") row[field.name] = makeValue(context, resource, field);
  }
  return row;
}

/** A generator returns a value of either side of a codec. */
function makeValue(context: OperationContext, resource: ResourceModel, field: FieldModel): Json {
  const { generated, codec, schema } = field;
  if (generated?.byCaller === true) return callerValue(context, resource, field, generated);
  const made = generated?.make({ principal: context.caller.principal });
  if (codec === undefined) return made as Json;
  const parsed = schema.safeParse(made);
  return storedValue(field, parsed.success ? parsed.data : made);
}

/** System code has no caller: its value is null if the field accepts null, and otherwise `system`. */
function callerValue(
  context: OperationContext,
  resource: ResourceModel,
  { name, schema, type }: FieldModel,
  generator: Generator<unknown>,
): Json {
  const { principal } = context.caller;
  if ((principal === null || context.system) && type.nullable) return null;
  if (principal === null) throw denied(context, `write ${resource.plural}`);
  const made = generator.make({ principal });
  if (schema.safeParse(made).success) return made as Json;
  const value = JSON.stringify(made);
  throw new Error(`'${name}' of '${resource.name}' doesn't accept the id of the caller: ${value}. Change its schema.`);
}
