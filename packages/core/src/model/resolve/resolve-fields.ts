import type { z } from "zod";
import type { FieldRules } from "../../definition/resource-config.ts";
import { canonicalJson } from "../../util/canonical-json.ts";
import { canonicalDecimal } from "../../util/decimal.ts";
import type { Json } from "../../util/json.ts";
import type { FieldModel, FieldCodec } from "../model.ts";
import { operatorsOf, type WireType } from "../wire-type.ts";
import { metaOf } from "../shape/meta.ts";
import { resolveShape } from "../shape/resolve-shape.ts";
import { NoWireForm, type ValueShape } from "../shape/value-shape.ts";
import type { Draft, Drafts, Pass, Report } from "./draft.ts";
import { resolveDeprecation, schemaDeprecation } from "./resolve-deprecation.ts";
import { resolveGenerators } from "./resolve-generators.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, readEntries, readNames } from "./read-config.ts";
import { ALLOW, resolveOwnRule } from "./resolve-access.ts";
import { tenantField } from "./tenant-field.ts";
import { versionOf } from "./resolve-options.ts";

/** Resolves every field: its input and output types, flags and rules. */
export const resolveFields: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const { name, config, schemas } = draft;
    const names = [...schemas.keys()];
    // Whether a computed field can be filtered or sorted by is checked with its definition.
    const readable = [...names, ...computedNames(draft)];
    const listed = (option: string, known = names): ReadonlySet<string> =>
      new Set(readNames(config[option], known, `${name}.${option}`, report));
    const flags = {
      internal: listed("internal"),
      secret: listed("secret"),
      immutable: listed("immutable"),
      filterable: listed("filterable", readable),
      sortable: listed("sortable", readable),
      filledByHook: listed("filledByHook"),
    };
    const generators = resolveGenerators(draft, report);
    const rules = fieldRules(draft, report);
    for (const [field, schema] of schemas) {
      const resolved = resolveField(`${name}.fields.${field}`, schema, report);
      if (resolved === undefined) continue;
      const generated = generators.get(field);
      const isTenant = tenantField(config) === field;
      const internal = flags.internal.has(field) || isTenant;
      const writable =
        generated === undefined && !internal && versionOf(draft) !== field && config["softDelete"] !== field;
      const deprecation = schemaDeprecation(schema, `${name}.fields.${field}`, report);
      const { description, deprecated } = metaOf(schema);
      const model: FieldModel = {
        name: field,
        schema,
        ...resolved,
        description,
        deprecated: deprecation?.reason ?? deprecated,
        deprecation: deprecation ?? resolveDeprecation(deprecated, `${name}.fields.${field}`, report),
        internal,
        secret: flags.secret.has(field),
        writable,
        immutable: flags.immutable.has(field),
        filledByHook: flags.filledByHook.has(field),
        required: resolved.required && writable && !flags.filledByHook.has(field),
        identifies: draft.key.includes(field) || isForeignKey(drafts, draft, field),
        generated,
        filterable: flags.filterable.has(field),
        sortable: flags.sortable.has(field),
        operators: operatorsOf(resolved.type),
        read: resolveOwnRule(rules.get(field) ?? {}, "read", ALLOW, `${name}.access.fields.${field}`, report),
        write: resolveOwnRule(rules.get(field) ?? {}, "write", ALLOW, `${name}.access.fields.${field}`, report),
      };
      draft.fields.set(field, model);
      checkUse(draft, model, report);
    }
  }
};

type Resolved = Pick<FieldModel, "type" | "input" | "required" | "default" | "codec">;

/** Resolves the types of a schema. Reports a schema without a wire form. */
export function resolveField(at: string, schema: z.ZodType, report: Report): Resolved | undefined {
  try {
    const output = resolveShape(schema, "output");
    const input = resolveShape(schema, "input");
    return {
      type: output.absent ? nullableType(output.type) : output.type,
      // If a value may be omitted, it may also be null. A default only applies if it is omitted.
      input: output.absent ? nullableType(input.type) : input.type,
      required: !input.absent && !input.type.nullable,
      default: storedDefault(output.type, defaultOf(schema, output)),
      codec: codecOf(output),
    };
  } catch (thrown) {
    if (!(thrown instanceof NoWireForm)) throw thrown;
    report(at, thrown.message, thrown.fix);
    return undefined;
  }
}

function nullableType(type: WireType): WireType {
  return type.nullable ? type : { ...type, nullable: true };
}

/** Returns the default of a schema, if it is the same on each parse. */
function defaultOf(schema: z.ZodType, output: ValueShape): Json | undefined {
  const results = [schema.safeParse(undefined), schema.safeParse(undefined)].map(({ success, data }) =>
    success && data !== undefined ? canonicalJson(output.encode === undefined ? data : output.encode(data)) : undefined,
  );
  const [first, second] = results;
  return first === undefined || first !== second ? undefined : (JSON.parse(first) as Json);
}

/** A default of a decimal may have fewer digits than the stored form. */
function storedDefault(type: WireType, value: Json | undefined): Json | undefined {
  return type.kind === "decimal" && typeof value === "string" ? (canonicalDecimal(value, type) ?? value) : value;
}

const RULES = namesOf<FieldRules<unknown, string>>({ read: true, write: true });

function fieldRules(draft: Draft, report: Report): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const access = draft.config["access"];
  const rules = new Map<string, Readonly<Record<string, unknown>>>();
  const at = `${draft.name}.access.fields`;
  for (const [field, rule] of readEntries(isObject(access) ? access["fields"] : undefined, at, report)) {
    readNames([field], [...draft.schemas.keys(), ...computedNames(draft)], at, report);
    if (!isObject(rule)) report(`${at}.${field}`, "Expected an object.", "Pass { read: rule, write: rule }.");
    else {
      checkMembers(rule, RULES, `${at}.${field}`, report);
      const fix =
        "Set a rule, or remove the entry. Without the entry, callers who can read or write the row can also read or write the field.";
      if (Object.keys(rule).length === 0) report(`${at}.${field}`, "The rule is missing.", fix);
      rules.set(field, rule);
    }
  }
  return rules;
}

function computedNames({ config }: Draft): readonly string[] {
  return isObject(config["computed"]) ? Object.keys(config["computed"]) : [];
}

/** Whether a field is part of a reference to the key of another resource. */
function isForeignKey(drafts: Drafts, { config }: Draft, field: string): boolean {
  return readEntries(config["relations"], "", () => {}).some(([, relation]) => {
    if (!isObject(relation) || relation["kind"] !== "belongsTo") return false;
    const { field: fields, references, target } = relation;
    if (!listed(fields).includes(field)) return false;
    const key = drafts.get(String(target))?.key ?? [];
    return references === undefined || listed(references).every((name) => key.some((own) => own === name));
  });
}

function listed(names: unknown): readonly unknown[] {
  return Array.isArray(names) ? names : [names];
}

const KEY_KINDS: ReadonlySet<string> = new Set([
  "string",
  "uuid",
  "email",
  "url",
  "date",
  "datetime",
  "time",
  "enum",
  "integer",
  "bigint",
]);

/** Whether values of a kind can be keys, and be referenced. */
export function isKeyKind(kind: string): boolean {
  return KEY_KINDS.has(kind);
}

function checkUse(draft: Draft, field: FieldModel, report: Report): void {
  const at = `${draft.name}.fields.${field.name}`;
  const { kind, nullable } = field.type;
  const isKey = draft.key.includes(field.name);
  if (isKey && (nullable || !isKeyKind(kind))) {
    report(
      at,
      "A key must be a string or an integer, and can't be null.",
      "Use z.uuid(), z.string() or z.int(), or choose another key.",
    );
  }
  if (isKey && (field.internal || field.read.kind !== "allow")) {
    report(
      at,
      "A key field can't be hidden, because it is part of the URL.",
      "Remove the read rule and 'internal' from this field.",
    );
  }
  if (field.secret && !field.internal) {
    report(at, "A secret field must also be internal.", "Add it to 'internal', or remove it from 'secret'.");
  }
  if (field.internal && (field.filterable || field.sortable)) {
    report(at, "An internal field can't be filtered or sorted by.", "Remove it from 'filterable' and 'sortable'.");
  }
  if (field.sortable && ["list", "object", "json"].includes(kind)) {
    report(at, `${kind} values can't be sorted.`, "Remove it from 'sortable'.");
  }
  if (field.immutable && !field.writable) {
    report(at, "No caller can write this field, so it doesn't need to be immutable.", "Remove it from 'immutable'.");
  }
  if (field.filledByHook && !field.writable) {
    report(at, "No caller can write this field, so it doesn't need to be filled.", "Remove it from 'filledByHook'.");
  }
  if (field.filledByHook && !hasCreateHook(draft)) {
    report(at, "No hook fills this field.", "Add hooks.create.before, or remove the field from 'filledByHook'.");
  }
  const isSet = field.generated !== undefined || tenantField(draft.config) === field.name;
  if (field.internal && !isSet && !nullable && field.default === undefined) {
    const fix = "Make it .nullable(), add a .default(), or generate it.";
    report(at, "No caller can write an internal field, but this one requires a value.", fix);
  }
}

function hasCreateHook({ config }: Draft): boolean {
  const { hooks } = config;
  const create = isObject(hooks) ? hooks["create"] : undefined;
  return isObject(create) && create["before"] !== undefined;
}

/** Returns the conversion between stored and decoded values; undefined if both are equal. */
function codecOf({ absent, decode, encode }: ValueShape): FieldCodec | undefined {
  if (decode === undefined && encode === undefined && !absent) return undefined;
  // Missing values are stored as null, but zod expects `undefined` for an optional value.
  const empty = absent ? undefined : null;
  return {
    toValue: (stored) => (stored === null ? empty : decode === undefined ? stored : decode(stored)),
    toStored: (value) => {
      if (value === null || value === undefined) return null;
      return encode === undefined ? (value as Json) : encode(value);
    },
  };
}
