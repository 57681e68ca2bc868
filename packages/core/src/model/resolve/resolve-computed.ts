import type { z } from "zod";
import { CoerceError, coerceWire } from "../coerce.ts";
import type { Computation, FromComputation, LoadComputation } from "../computation.ts";
import type { ComputedModel } from "../model.ts";
import { metaOf } from "../shape/meta.ts";
import { operatorsOf } from "../wire-type.ts";
import { isZodType } from "./collect-resources.ts";
import type { Draft, Drafts, Pass, Report } from "./draft.ts";
import { checkMembers, isObject, readEntries, readNames } from "./read-config.ts";
import { ALLOW } from "./resolve-access.ts";
import { schemaDeprecation } from "./resolve-deprecation.ts";
import { allOfRules, computedReadRule } from "./computed-rules.ts";
import { resolveField } from "./resolve-fields.ts";
import { resolveRelatedField } from "./resolve-related-field.ts";
import { checkName } from "./resolve-names.ts";

/** Resolves the fields that are computed when they are read. Needs the fields and relations of all resources. */
export const resolveComputed: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const place = { draft, drafts, report };
    for (const [name, option] of readEntries(draft.config["computed"], `${draft.name}.computed`, report)) {
      const at = `${draft.name}.computed.${name}`;
      checkName(name, at, report);
      if (draft.schemas.has(name)) report(at, "A field already has this name.", "Rename the computed field.");
      if (draft.declared.has(name)) report(at, "A relation already has this name.", "Rename the computed field.");
      const field = resolveOne(place, at, name, option);
      if (field !== undefined) draft.computed.set(name, field);
    }
  }
};

function resolveOne(
  { draft, drafts, report }: { readonly draft: Draft; readonly drafts: Drafts; readonly report: Report },
  at: string,
  name: string,
  option: unknown,
): ComputedModel | undefined {
  if (!isObject(option) || option["~bifocal"] !== "computed") {
    report(
      at,
      "Expected a computed field.",
      "Use computed(schema, { from, get }), computed(schema, { from, load }) or count(relation).",
    );
    return undefined;
  }
  if (Object.hasOwn(option, "aggregate")) return resolveRelatedField({ at, draft, drafts, name, option, report });
  const { schema } = option;
  if (!isZodType(schema)) {
    report(at, "Expected a Zod schema.", "Pass the schema of the value first: computed(z.boolean(), { … }).");
    return undefined;
  }
  const resolved = resolveField(at, schema, report);
  const computation = resolved && resolveComputation(at, draft, option, toWireOf(at, resolved), report);
  if (resolved === undefined || computation === undefined) return undefined;
  checkUse(draft, name, report);
  const { description, deprecated } = metaOf(schema);
  const deprecation = schemaDeprecation(schema, at, report);
  return {
    ...resolved,
    name,
    schema,
    required: false,
    default: undefined,
    writable: false,
    filledByHook: false,
    immutable: false,
    internal: false,
    secret: false,
    identifies: false,
    generated: undefined,
    filterable: false,
    sortable: false,
    operators: operatorsOf(resolved.type),
    read:
      computedReadRule(draft, name, report) ??
      allOfRules(computation.from.map((field) => draft.fields.get(field)?.read ?? ALLOW)),
    write: ALLOW,
    description,
    deprecated: deprecation?.reason ?? deprecated,
    deprecation,
    computation,
  };
}

function resolveComputation(
  at: string,
  draft: Draft,
  option: Readonly<Record<string, unknown>>,
  toWire: FromComputation["toWire"],
  report: Report,
): Computation | undefined {
  const { "~bifocal": _, schema: _schema, ...options } = option;
  checkMembers(options, ["from", "get", "load"], at, report);
  const from = readNames(option["from"], draft.schemas.keys(), `${at}.from`, report);
  if (option["from"] === undefined)
    report(`${at}.from`, "The list is missing.", "List the fields that it is computed from.");
  for (const name of from) {
    if (draft.fields.get(name)?.secret !== true) continue;
    report(`${at}.from`, `'${name}' is secret, so events don't contain it.`, "Remove it from 'from' or from 'secret'.");
  }
  const { get, load } = option;
  if ((get === undefined) === (load === undefined)) {
    report(
      at,
      "Exactly one of 'get' and 'load' is required.",
      "Use 'get' for fields of the row, and 'load' for anything else.",
    );
    return undefined;
  }
  const code = get ?? load;
  if (typeof code !== "function") {
    report(
      `${at}.${get === undefined ? "load" : "get"}`,
      "Expected a function.",
      "Write (row) => value, or (rows) => values.",
    );
    return undefined;
  }
  return get === undefined
    ? { kind: "load", from, load: load as LoadComputation["load"], toWire }
    : { kind: "from", from, get: get as FromComputation["get"], toWire };
}

function toWireOf(
  at: string,
  { type, codec }: Pick<ComputedModel, "type" | "codec"> & { readonly schema?: z.ZodType },
): FromComputation["toWire"] {
  const name = at.replace(".computed", "");
  return (value) => {
    try {
      if (value === undefined && type.nullable) return null;
      return coerceWire(type, value === null || codec === undefined ? value : codec.toStored(value));
    } catch (thrown) {
      if (!(thrown instanceof CoerceError)) throw thrown;
      throw new Error(`The computed field '${name}' doesn't match its schema: ${thrown.message}`, { cause: thrown });
    }
  };
}

function checkUse({ name: resource, config }: Draft, name: string, report: Report): void {
  for (const option of ["filterable", "sortable"]) {
    const listed = config[option];
    if (!Array.isArray(listed) || !listed.includes(name)) continue;
    const problem = `'${name}' is computed by application code, so the store can't use it.`;
    report(`${resource}.${option}`, problem, "Remove it from the list, or store its value in a field.");
  }
}
