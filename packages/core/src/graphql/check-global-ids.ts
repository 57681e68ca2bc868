import { DefinitionError, type DefinitionMistake } from "../errors/definition-error.ts";
import type { Model } from "../model/model.ts";

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
