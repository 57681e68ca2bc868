import type { Model, ResourceModel } from "../../model/model.ts";
import { selectFields } from "../../lowering/lower-selection.ts";
import { listNames, quote, refuse } from "../../errors/refuse.ts";
import { readList } from "../request/parameters.ts";
import type { Fieldset, Fieldsets } from "../formats/format.ts";
import { fieldName, isAttribute } from "./attributes.ts";

/**
 * Reads `fields[books]=title,author` (JSON:API 1.1 §8.3): attributes and relationships by type. Throws BAD_REQUEST.
 */
export function readFieldsets(model: Model, members: Readonly<Record<string, unknown>>): Fieldsets {
  const byType = new Map([...model.resources.values()].map((resource) => [resource.plural, resource]));
  const fieldsets = new Map<string, Fieldset>();
  for (const [type, names] of Object.entries(members)) {
    const resource = byType.get(type);
    if (resource === undefined) {
      return refuse(
        ["fields", type],
        "unknown_type",
        `Unknown type ${quote(type)}. Available: ${listNames(byType.keys())}.`,
      );
    }
    // An empty value requests no fields.
    fieldsets.set(resource.name, readFieldset(resource, names === "" ? [] : readList(names, ["fields", type]), type));
  }
  return fieldsets;
}

function readFieldset(resource: ResourceModel, names: readonly string[], type: string): Fieldset {
  const [fields, relations] = [new Set<string>(), new Set<string>()];
  for (const name of names) {
    if (resource.relations.has(name)) relations.add(name);
    else {
      const [field = name] = selectFields(resource, [fieldName(resource, name)], ["fields", type]);
      if (!isAttribute(resource, field)) {
        const message = `${quote(name)} is not an attribute of '${type}': it is the id, or the key of a relationship.`;
        refuse(["fields", type], "unknown_field", message);
      }
      fields.add(field);
    }
  }
  return { fields, relations };
}
