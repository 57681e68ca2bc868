import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Generator } from "../../../definition/generated.ts";
import type { FieldModel, ResourceModel, Row } from "../../../model/model.ts";
import { storedValue } from "../../../model/parse/input-parser.ts";
import type { Json } from "../../../util/json.ts";
import { denied } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";

/**
 * Builds a new row from the written fields, generated values and defaults. Fields that the store generates are omitted.
 */
export function buildRow(context: OperationContext, resource: ResourceModel, written: Row): Row {
  const row: Record<string, Json> = {};
  for (const field of resource.fields.values()) {
    const given = written[field.name];
    // The store sets the version.
    if (field.name === resource.version) continue;
    if (field.name === resource.tenant?.field) {
      row[field.name] = tenantOf(context, resource, given);
      continue;
    }
    if (given !== undefined) row[field.name] = given;
    else if (field.generated === undefined) row[field.name] = field.default ?? null;
    else if (field.generated.when !== "store") row[field.name] = makeValue(context, resource, field);
  }
  return row;
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
