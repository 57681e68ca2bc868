import type { FieldModel, Key, Model, ResourceModel } from "../model/model.ts";
import { formatId, parseId } from "../operation/key.ts";

/** How GraphQL writes ids, and reads them. */
export interface Ids {
  /** Whether an id tells of which resource it is, so that `node(id)` finds its row. */
  readonly isGlobal: boolean;
  /** Undefined for what is no id of this resource. */
  readonly parse: (resource: ResourceModel, text: string) => Key | undefined;
  readonly format: (resource: ResourceModel, key: Key) => string;
}

/** As REST has them in its addresses. */
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

const LONGEST = 2_048;

/** Only what `format` writes is read: every row has one id. */
export function decodeGlobalId(text: string): { readonly typeName: string; readonly id: string } | undefined {
  if (text.length > LONGEST) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const [, typeName, id] = /^([^:]*):(.+)$/s.exec(bytes.toString()) ?? [];
  if (typeName === undefined || id === undefined || bytes.toString("base64url") !== text) return undefined;
  return { typeName, id };
}

/** The resource whose id a field holds, where ids are global: its own, or the one that it points at. */
export function idOwner({ resources }: Model, resource: ResourceModel, field: FieldModel): ResourceModel | undefined {
  if (!field.identifies) return undefined;
  if (field.name === "id" && resource.key.length === 1) return resource;
  for (const { kind, local, target } of resource.relations.values()) {
    if (kind === "belongsTo" && local === field.name) return resources.get(target);
  }
  return undefined;
}
