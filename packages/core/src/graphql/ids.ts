import type { FieldModel, Key, Model, ResourceModel } from "../model/model.ts";
import { relationIn } from "../model/relation-in.ts";
import { formatId, parseId } from "../operation/key.ts";
import { DefinitionError, type DefinitionMistake } from "../errors/definition-error.ts";

/** Formats and parses ids in GraphQL. */
export interface Ids {
  /** Whether an id names its resource, so that `node(id)` can find the row. */
  readonly isGlobal: boolean;
  /** Returns undefined if the text is not an id of this resource. */
  readonly parse: (resource: ResourceModel, text: string) => Key | undefined;
  readonly format: (resource: ResourceModel, key: Key) => string;
}

/** The ids of REST URLs. */
export const PLAIN_IDS: Ids = { isGlobal: false, parse: parseId, format: formatId };

/** Base64url (RFC 4648 §5) of the type's name, a colon, and the plain id. */
export const GLOBAL_IDS: Ids = {
  isGlobal: true,
  parse(resource, text) {
    const global = decodeGlobalId(text);
    return global?.typeName === resource.typeName ? parseId(resource, global.id) : undefined;
  },
  format: (resource, key) => Buffer.from(`${resource.typeName}:${formatId(resource, key)}`).toString("base64url"),
};

const MAX_LENGTH = 2_048;

/** Decodes only the canonical form that `format` writes, so that every row has exactly one id. */
export function decodeGlobalId(text: string): { readonly typeName: string; readonly id: string } | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const [, typeName, id] = /^([^:]*):(.+)$/s.exec(bytes.toString()) ?? [];
  if (typeName === undefined || id === undefined || bytes.toString("base64url") !== text) return undefined;
  return { typeName, id };
}

/** Returns the resource that the ids in a field belong to: the field's own resource, or the target of its relation. */
export function idOwner(
  { resources }: Model,
  resource: ResourceModel,
  field: Pick<FieldModel, "name" | "identifies">,
): ResourceModel | undefined {
  if (!field.identifies) return undefined;
  if (field.name === "id" && resource.key.length === 1) return resource;
  const relation = relationIn(resource, field.name);
  return relation && resources.get(relation.target);
}

/** Returns whether GraphQL computes `id` from the key, because the resource has no field `id`. */
export function hasComputedId({ fields, relations }: ResourceModel): boolean {
  return !fields.has("id") && !relations.has("id");
}

/** Throws a DefinitionError if names of a resource conflict with `node(id)`, or if `id` is not the row's key. */
export function checkGlobalIds({ resources }: Model): void {
  const mistakes: DefinitionMistake[] = [];
  for (const { name, plural, key, fields, relations } of resources.values()) {
    if (["node", "nodes"].some((taken) => taken === name || taken === plural)) {
      const problem = "With global ids, 'node' and 'nodes' are queries that find rows of any resource.";
      mistakes.push({ at: name, problem, fix: "Rename the resource, or give it another 'plural'." });
    }
    const isKey = key.length === 1 && key[0] === "id";
    if (!isKey && (fields.has("id") || relations.has("id"))) {
      const problem = "With global ids, 'id' is the global id of the row, but this resource has another field 'id'.";
      mistakes.push({ at: `${name}.id`, problem, fix: "Make 'id' the key, or rename the field." });
    }
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
}
