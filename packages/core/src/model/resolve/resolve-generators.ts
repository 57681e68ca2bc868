import { z } from "zod";
import type { Generator } from "../../definition/generated.ts";
import type { Draft, Report } from "./draft.ts";
import { isObject, quoteName, readEntries, suggest } from "./read-config.ts";

/** Returns the generators of a resource. Each is called once, to find wrong types at start. */
export function resolveGenerators(draft: Draft, report: Report): ReadonlyMap<string, Generator<unknown>> {
  const generators = new Map<string, Generator<unknown>>();
  for (const [field, generator] of readEntries(draft.config["generated"], `${draft.name}.generated`, report)) {
    const at = `${draft.name}.generated.${field}`;
    const schema = draft.schemas.get(field);
    if (schema === undefined) {
      report(at, `Unknown field ${quoteName(field)} in 'generated'.`, suggest(field, [...draft.schemas.keys()]));
    } else if (!isGenerator(generator)) {
      report(
        at,
        "Expected a generator.",
        "Use uuid(), now(), updatedNow(), principalId(), sequence() or generate(() => value).",
      );
    } else {
      generators.set(field, generator);
      const problem = problemOf(generator, (value) => accepts(schema, value));
      if (problem !== undefined) report(at, problem, problem.includes("global scope") ? LATER : REMEDY);
    }
  }
  return generators;
}

const REMEDY = "Change the generator or the field's schema.";
/** workerd forbids random values, among others, while it loads a module. */
const LATER = "Call `defineApi` in a Durable Object or a request, because workerd restricts code that runs before.";

/** Ids of callers in usual forms. The actual form is only known when a caller writes a row. */
const SAMPLE_IDS = [
  "1",
  "ada",
  "00000000-0000-4000-8000-000000000000",
  "ada@example.com",
  "01ARZ3NDEKTSV4RRFFQ69G5FAV",
];

function problemOf(generator: Generator<unknown>, holds: (value: unknown) => boolean): string | undefined {
  if (generator.when === "store") {
    return holds(1)
      ? undefined
      : "sequence() generates integers. Use z.int32(), or z.int() for larger numbers and columns of the type bigint.";
  }
  if (generator.byCaller === true) {
    return SAMPLE_IDS.some(holds) ? undefined : "principalId() generates strings, but the field doesn't accept them.";
  }
  try {
    const made = generator.make({ principal: null });
    return holds(made)
      ? undefined
      : `The generator returned ${JSON.stringify(made)}, which the field's schema doesn't accept.`;
  } catch (thrown) {
    return `The generator throws: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** The value may have the type of either side of a codec. */
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
