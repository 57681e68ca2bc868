import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { isReferenceWritable, offeredNested } from "../../model/offered.ts";
import { keyToken, parseId } from "../../operation/key.ts";
import { isPlainObject } from "../../errors/refuse.ts";
import type { Json } from "../../util/json.ts";
import type { InputTarget } from "../formats/format.ts";
import { fieldName } from "./attributes.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the fields in a document: its attributes, its to-one relationships as foreign keys, its many-to-many ones as
 * lists of ids and, in a create, a client-generated `id` as the key. Throws BAD_REQUEST if it isn't a document, CONFLICT
 * if the type or id differs, and FORBIDDEN for a server-generated id or a relationship that can't be replaced (§9.1, §9.2).
 */
export function readDocument(body: Json, target: InputTarget): Record<string, unknown> {
  const { model, resource, mode, id } = target;
  const data = membersOf(isPlainObject(body) ? body["data"] : undefined, "data");
  if (data["type"] !== resource.plural) {
    throw new BifocalError("CONFLICT", `'data.type' must be '${resource.plural}'.`);
  }
  if (mode !== "create" && !isSameId(resource, data["id"], id)) {
    throw new BifocalError("CONFLICT", "'data.id' differs from the id in the URL.");
  }
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(membersOf(data["attributes"] ?? {}, "data.attributes"))) {
    input[fieldName(resource, name)] = value;
  }
  if (mode === "create" && data["id"] !== undefined) {
    if (resource.key.some((name) => resource.fields.get(name)?.writable === false)) {
      throw new BifocalError("FORBIDDEN", `The server generates the ids of ${resource.plural}. Leave out 'data.id'.`);
    }
    Object.assign(input, keyFields(resource, data["id"]));
  }
  const relationships = membersOf(data["relationships"] ?? {}, "data.relationships");
  for (const [name, value] of Object.entries(relationships)) {
    const relation = resource.relations.get(name);
    if (relation === undefined) throw badRequest(`'${name}' is not a relationship of ${resource.plural}.`);
    const far = model.resources.get(relation.target) as ResourceModel;
    const place = `data.relationships.${name}`;
    if (relation.kind !== "belongsTo") {
      if (!isReplaceable(model, resource, relation, mode)) {
        throw new BifocalError("FORBIDDEN", `The relationship '${name}' can't be replaced. Leave it out.`);
      }
      input[name] = readIdentifiers(far, membersOf(value, place)["data"], `${place}.data`);
      continue;
    }
    if (!relation.toKey || !isReferenceWritable(model, relation)) throw refuseRelationship(resource, relation);
    const given = relation.local.find((field) => Object.hasOwn(input, field));
    if (given !== undefined) throw badRequest(`'${given}' and '${name}' both set the ${relation.target}.`);
    const { data: reference } = membersOf(value, place);
    const key = reference === null ? null : parseRowKey(far, readIdentifier(far, reference, `${place}.data`));
    Object.assign(input, referenceInput(relation, key));
  }
  return input;
}

/** Whether an input of a mode can set all links of a relation. */
export function isReplaceable(
  model: Model,
  resource: ResourceModel,
  relation: RelationModel,
  mode: InputTarget["mode"],
): boolean {
  return relation.kind === "manyToMany" && offeredNested(model, resource, mode).includes(relation);
}

/** Returns the ids in a list of resource identifier objects. */
export function readIdentifiers(far: ResourceModel, data: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(data)) throw badRequest(`'${place}' must be a list.`);
  return data.map((one: unknown, index) => readIdentifier(far, one, `${place}[${index}]`));
}

/** Returns the fields of a reference. A malformed id is assigned to all of them, so that their schemas reject it. */
export function referenceInput({ local }: RelationModel, key: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(local.map((name, index) => [name, Array.isArray(key) ? (key[index] as unknown) : key]));
}

/** Returns the error for a relationship that cannot be changed here (JSON:API 1.1 §9.2). */
export function refuseRelationship(
  { fields }: Pick<ResourceModel, "fields">,
  { name, kind, many, local, toKey }: RelationModel,
): BifocalError {
  const writable = local.filter((field) => fields.get(field)?.writable);
  const hint = many
    ? "For many-to-many relations, add and remove rows, or set `links` in the definition. For others, update the related rows."
    : kind === "belongsTo" && !toKey && writable.length > 0
      ? `Change '${writable.join("', '")}' instead.`
      : "";
  return new BifocalError("FORBIDDEN", `The relationship ${name} can't be replaced. ${hint}`.trim());
}

/** Returns the key fields in an id. */
function keyFields(resource: ResourceModel, id: unknown): Readonly<Record<string, unknown>> {
  const [only] = resource.key;
  const key = parseRowKey(resource, id);
  if (resource.key.length === 1 && only !== undefined) return { [only]: key };
  if (!Array.isArray(key))
    throw badRequest(`'data.id' is not a valid id of ${resource.plural}. Use '${resource.key.join(",")}'.`);
  return Object.fromEntries(resource.key.map((name, index) => [name, key[index] as unknown]));
}

/** Whether the ids in the URL and the document are equal, regardless of their encoding. */
function isSameId(resource: ResourceModel, given: unknown, id: string | undefined): boolean {
  if (given === id) return true;
  if (typeof given !== "string" || id === undefined) return false;
  const [a, b] = [parseId(resource, given), parseId(resource, id)];
  return a !== undefined && b !== undefined && keyToken(a) === keyToken(b);
}

/** Returns the id in a resource identifier object (§7.3). `place` is its location, for messages. */
export function readIdentifier(far: ResourceModel, data: unknown, place: string): unknown {
  const { type, id } = membersOf(data, place);
  if (type !== far.plural) throw badRequest(`'${place}.type' must be '${far.plural}'.`);
  return id;
}

/** Parses an id. A malformed id is returned unchanged, so that the field's schema rejects it. */
export function parseRowKey(resource: ResourceModel, id: unknown): unknown {
  return (typeof id === "string" ? parseId(resource, id) : undefined) ?? id;
}

function membersOf(value: unknown, name: string): Members {
  if (isPlainObject(value)) return value;
  throw badRequest(`'${name}' must be an object.`);
}

export function badRequest(message: string): BifocalError {
  return new BifocalError("BAD_REQUEST", message);
}
