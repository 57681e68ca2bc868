import { z } from "zod";
import type { Generator } from "../../definition/generated.ts";
import type { Draft, Report } from "./draft.ts";
import { isObject, quote, readEntries, suggest } from "./read-config.ts";

/** The generators of a resource. Each is called once here, so that one of the wrong type is found at start. */
export function resolveGenerators(draft: Draft, report: Report): ReadonlyMap<string, Generator<unknown>> {
  const generators = new Map<string, Generator<unknown>>();
  for (const [field, generator] of readEntries(draft.config["generated"], `${draft.name}.generated`, report)) {
    const at = `${draft.name}.generated.${field}`;
    const schema = draft.schemas.get(field);
    if (schema === undefined) {
      report(at, `There is no field ${quote(field)} to generate.`, suggest(field, [...draft.schemas.keys()]));
    } else if (!isGenerator(generator)) {
      report(at, "It is no generator.", "Write uuid(), now(), updatedNow(), sequence() or generate(() => value).");
    } else {
      generators.set(field, generator);
      const problem = problemOf(generator, (value) => accepts(schema, value));
      if (problem !== undefined) report(at, problem, "Change the generator, or the schema of the field.");
    }
  }
  return generators;
}

function problemOf(generator: Generator<unknown>, holds: (value: unknown) => boolean): string | undefined {
  if (generator.when === "store") {
    return holds(1) ? undefined : "sequence() counts integers, which the field does not hold.";
  }
  try {
    const made = generator.make();
    return holds(made) ? undefined : `It makes ${JSON.stringify(made)}, which the field does not hold.`;
  } catch (thrown) {
    return `It throws: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** Either side of a codec will do. */
function accepts(schema: z.ZodType, value: unknown): boolean {
  if (schema.safeParse(value).success) return true;
  try {
    return z.safeEncode(schema, value).success;
  } catch {
    return false;
  }
}

function isGenerator(value: unknown): value is Generator<unknown> {
  return isObject(value) && value["~bifocal"] === "generator" && typeof value["make"] === "function";
}
