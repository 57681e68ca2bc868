import type { JsonObject } from "../../src/index.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** Validates a value against a schema of a document, formats included. Returns the errors, or an empty string. */
export function checkJson(document: JsonObject, schema: JsonObject, value: unknown): string {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const alone = JSON.stringify({ ...schema, $defs: (document["components"] as JsonObject)["schemas"] });
  const isValid = ajv.compile(JSON.parse(alone.replaceAll("#/components/schemas/", "#/$defs/")) as object);
  return isValid(value) ? "" : ajv.errorsText(isValid.errors);
}
