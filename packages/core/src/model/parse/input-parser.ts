import { plainIssue } from "./plain-issue.ts";
import type { Issue } from "../../errors/bifocal-error.ts";
import type { Json } from "../../util/json.ts";
import { CoerceError, coerceWire, hasStoredForm } from "../coerce.ts";
import type {
  FieldModel,
  InputForm,
  InputMode,
  InputParser,
  Parsed,
  RelationModel,
  ResourceModel,
  Row,
} from "../model.ts";
import { resolveShape } from "../shape/resolve-shape.ts";
import { unrecognized, lostKeys } from "./lost-keys.ts";
import { plainRule, passesPlainRule, type PlainRule } from "./plain-rule.ts";
import { textMistake, textProblem } from "../text-mistake.ts";
import { z } from "zod";
import type { ValueShape } from "../shape/value-shape.ts";

interface Writable extends ValueSchema {
  readonly name: string;
  readonly field: FieldModel;
  /** Whether its values are converted to stored form. */
  readonly isConverted: boolean;
  /** Whether a value that passes `plain` is the stored value, except for its case. */
  readonly isPlain: boolean;
  /** Whether an input can omit it, whatever its schema. */
  readonly isOptional: boolean;
  /** Whether its text is stored in lower case. */
  readonly isUuid: boolean;
  /** Number of fields of the key if this is one of them, otherwise 0. */
  readonly keyFields: number;
}

const MODES: readonly InputMode[] = ["create", "replace", "update"];

/** Returns the relations whose rows or links an input of each mode can write. */
export function nestedRelations(relations: readonly RelationModel[]): ResourceModel["nested"] {
  const linked = relations.filter(({ links }) => links > 0);
  return {
    create: relations.filter(({ creates, links }) => creates > 0 || links > 0),
    replace: linked,
    update: relations.filter(({ links, writes }) => links > 0 || Object.values(writes).some((most) => most > 0)),
  };
}

type Parsable = Pick<ResourceModel, "name" | "fields" | "computed" | "key" | "relations">;

/** The facts about a resource that its parser needs. */
interface Plan {
  readonly writable: ReadonlyMap<string, Writable>;
  readonly nested: ResourceModel["nested"];
  /** The names of the fields and relations that an input can contain. */
  readonly names: readonly string[];
  readonly denied: readonly string[];
  readonly plainFields: readonly PlainField[] | undefined;
}

function planOf({ fields, key, relations }: Parsable, mode: InputMode): Plan {
  const writable = new Map<string, Writable>();
  for (const field of fields.values()) {
    if (!isWritable(field, mode)) continue;
    const input = resolveShape(field.schema, "input");
    const { schema } = field;
    const plain = plainRule(schema);
    const isConverted = hasStoredForm(field.type);
    const isAsGiven = !isConverted || field.type.kind === "uuid";
    const isPlain = field.codec === undefined && input.decode === undefined && isAsGiven;
    const keyFields = key.includes(field.name) ? key.length : 0;
    const isOptional = field.filledByHook || (mode === "replace" && isDenied(field));
    const isUuid = field.type.kind === "uuid";
    const facts = { isOptional, isConverted, isPlain, isUuid, keyFields, path: [field.name], what: `'${field.name}'` };
    writable.set(field.name, { name: field.name, field, schema, input, plain, ...facts });
  }
  const nested = nestedRelations([...relations.values()]);
  const names = [...writable.keys(), ...nested[mode].map((relation) => relation.name)];
  const all = [...writable.values()];
  const denied = all.flatMap(({ field }) => (isDenied(field) ? [field.name] : []));
  return { writable, nested, names, denied, plainFields: denied.length === 0 ? plainFieldsOf(all) : undefined };
}

/** Creates the function that validates an input of a resource field by field and converts it to stored form. */
export function createInputParser(resource: Parsable, mode: InputMode): InputParser {
  const { name, fields, computed } = resource;
  // Derived with the first input: a process may never write most of its resources.
  let plan: Plan | undefined;

  return (input, form, decided): Parsed => {
    if (!isPlainObject(input)) {
      return {
        issues: [{ path: [], message: `Expected an object with the fields of '${name}'.`, code: "invalid_type" }],
      };
    }
    const { writable, denied, plainFields } = (plan ??= planOf(resource, mode));
    const given = Object.keys(input);
    if (plainFields !== undefined && decided === undefined && given.length === plainFields.length) {
      const row = parsePlainly(plainFields, given, input);
      if (row !== undefined) return { row };
    }
    const issues: Issue[] = [];
    for (const key of given) if (!writable.has(key)) issues.push(refuseKey(key, plan));
    for (const key of denied) {
      if (form !== "wire" || !Object.hasOwn(input, key)) continue;
      issues.push({ path: [key], message: `'${key}' is read-only. Leave it out.`, code: "not_writable" });
    }
    const row: Record<string, Json> = {};
    for (const [key, value] of writable) {
      if (decided !== undefined && Object.hasOwn(decided, key)) {
        const known = decided[key];
        const problem = known === undefined ? undefined : parseField(value, known, "wire", row);
        if (problem !== undefined) issues.push(...problem);
        continue;
      }
      const raw = Object.hasOwn(input, key) ? input[key] : undefined;
      if (raw === undefined && (mode === "update" || value.isOptional)) continue;
      const problem = parseField(value, raw, form, row);
      if (problem !== undefined) issues.push(...problem);
    }
    return issues.length > 0 ? { issues } : { row };
  };

  function refuseKey(key: string, { nested, names }: Plan): Issue {
    const field = fields.get(key) ?? computed.get(key);
    // The engine has removed the relations of this mode from the input, except in a bulk update.
    const allowed = MODES.filter((one) => nested[one].some((relation) => relation.name === key));
    if (allowed.length > 0) {
      const how = allowed.includes(mode) ? `of a single ${name}` : `by a ${allowed.join(" or ")}`;
      return { path: [key], message: `'${key}' can only be written ${how}. Leave it out.`, code: "not_writable" };
    }
    if (field === undefined || field.internal) return unrecognized(key, [key], `'${name}'`, names);
    if (field.writable)
      return { path: [key], message: `'${key}' can't be changed after creation. Leave it out.`, code: "immutable" };
    return { path: [key], message: `'${key}' is set by the server. Leave it out.`, code: "not_writable" };
  }

  function parseField(
    value: Writable,
    given: unknown,
    form: InputForm,
    row: Record<string, Json>,
  ): readonly Issue[] | undefined {
    const { field, input, plain } = value;
    if (given !== null && value.isPlain && plain !== undefined && passesPlainRule(plain, given)) {
      return store(value, copyList(given) as Json, row);
    }
    let raw = given;
    if (raw === undefined && mode === "replace" && !(form === "value" && input.absent)) {
      return [
        {
          path: [field.name],
          message: `'${field.name}' is required. A replacement must include every field.`,
          code: "required",
        },
      ];
    }
    if (raw === undefined && field.input.nullable && field.default === undefined) raw = null;
    // An empty optional value is `undefined` in zod and null on the wire.
    if (raw === null && !input.type.nullable && field.input.nullable) raw = undefined;
    const parsed = parseValue(value, raw, form);
    if (parsed.issues !== undefined) {
      if (raw !== undefined) return parsed.issues;
      const reason = isDenied(field) ? `is required, but callers can't write it` : "is required";
      return [{ path: [field.name], message: `'${field.name}' ${reason}.`, code: "required" }];
    }
    const stored = storedValue(field, parsed.value);
    if (stored === null || !value.isConverted) return store(value, stored, row);
    try {
      // JSON values are copied: a local caller can still change its object, and it may contain values that aren't JSON.
      return store(value, coerceWire(field.type, stored), row);
    } catch (thrown) {
      if (!(thrown instanceof CoerceError)) throw thrown;
      return [{ path: [field.name], message: `'${field.name}': ${thrown.message}`, code: "invalid_type" }];
    }
  }
}

type PlainField = Pick<Writable, "name" | "isUuid"> & { readonly plain: PlainRule };

/** Returns the fields if a valid value of each is the stored value, and otherwise undefined. */
function plainFieldsOf(fields: readonly Writable[]): readonly PlainField[] | undefined {
  const found: PlainField[] = [];
  for (const { name, isUuid, isPlain, plain, keyFields } of fields) {
    if (!isPlain || plain === undefined || keyFields > 0) return undefined;
    found.push({ name, isUuid, plain });
  }
  return found;
}

/**
 * Returns the row if an input has a valid value for each field and no other member. For any other input, returns
 * undefined, and the full check decides.
 *
 * @param given - the names of its members, as many as there are fields
 */
function parsePlainly(
  fields: readonly PlainField[],
  given: readonly string[],
  input: Readonly<Record<string, unknown>>,
): Row | undefined {
  const row = inOrder(fields, given, input);
  if (row === undefined) return undefined;
  for (const { name, plain, isUuid } of fields) {
    const value = row[name];
    if (value === null || !passesPlainRule(plain, value)) return undefined;
    if (typeof value === "number" || typeof value === "boolean") continue;
    if (textMistake(value) !== undefined) return undefined;
    if (typeof value !== "string") row[name] = copyList(value);
    else if (isUuid) row[name] = value.toLowerCase();
  }
  return row as Row;
}

/** Copies an input with its members in the order of the fields. Returns undefined if it lacks one of them. */
function inOrder(
  fields: readonly PlainField[],
  given: readonly string[],
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  // A copy of a whole object takes less time than a new object with the same members.
  if (fields.every(({ name }, index) => given[index] === name)) return { ...input };
  const row: Record<string, unknown> = {};
  for (const { name } of fields) {
    if (!given.includes(name)) return undefined;
    row[name] = input[name];
  }
  return row;
}

/** Adds a valid value to the row, unless no store can hold its text. */
function store(
  { name, isUuid, keyFields }: Writable,
  value: Json,
  row: Record<string, Json>,
): readonly Issue[] | undefined {
  if (typeof value === "number" || typeof value === "boolean") row[name] = value;
  else {
    const problem = textProblem(name, value, keyFields);
    if (problem !== undefined) return [problem];
    row[name] = isUuid && typeof value === "string" ? value.toLowerCase() : value;
  }
  return undefined;
}

/** Creates the function that validates what a hook has set. */
export function createFilledParser(resource: Parsable): InputParser | undefined {
  const fields = new Map<string, FieldModel>();
  for (const field of resource.fields.values()) {
    if (field.filledByHook && isCheckable(field))
      fields.set(field.name, { ...field, immutable: false, write: { ...field.write, kind: "allow" } });
  }
  return fields.size === 0 ? undefined : createInputParser({ ...resource, fields }, "update");
}

/** Whether the schema of a field accepts its stored values. The result of a transform may not be valid as its input. */
export function isCheckable({ input, type }: FieldModel): boolean {
  return input.kind === type.kind;
}

/** Whether no caller can write a field, except system callers. */
export function isDenied({ write }: FieldModel): boolean {
  return write.kind === "deny";
}

/** Whether inputs of this mode can set a field. */
export function isWritable({ writable, immutable }: FieldModel, mode: InputMode): boolean {
  return writable && (mode === "create" || !immutable);
}

/**
 * Whether requests of this mode can contain a field. If a replace can create a row, its input can also contain immutable
 * fields.
 */
export function takes({ upsert }: Pick<ResourceModel, "upsert">, field: FieldModel, mode: InputMode): boolean {
  if (isDenied(field)) return false;
  return isWritable(field, mode) || (mode === "replace" && upsert && isWritable(field, "create"));
}

/** Converts a value of zod's output type to stored form. */
export function storedValue(field: FieldModel, value: unknown): Json {
  if (field.codec !== undefined) return field.codec.toStored(value);
  return value === undefined ? null : (value as Json);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface ValueSchema {
  readonly schema: z.ZodType;
  /** The wire form of zod's input type. */
  readonly input: ValueShape;
  /** A fast check, if the schema allows it. */
  readonly plain?: PlainRule | undefined;
  /** Path of the value in the whole input. */
  readonly path: readonly (string | number)[];
  /** The owner of the value, for messages. */
  readonly what: string;
}

/** Validates one value. Returns it in zod's output type, or all issues. */
export function parseValue(
  { schema, input, plain, path, what }: ValueSchema,
  raw: unknown,
  form: InputForm,
): { readonly value: unknown; readonly issues?: never } | { readonly issues: readonly Issue[] } {
  const given = form === "wire" && input.decode !== undefined && raw !== undefined ? input.decode(raw) : raw;
  if (plain !== undefined && passesPlainRule(plain, given)) return { value: copyList(given) };
  const parsed = parse(schema, given);
  if (parsed === undefined) {
    return { issues: [{ path, message: `${what} has an invalid value.`, code: "invalid_value" }] };
  }
  if (!parsed.success) return { issues: parsed.error.issues.map((issue) => toIssue(issue, path)) };
  const lost = lostKeys(given, parsed.data, path, what);
  return lost.length > 0 ? { issues: lost } : { value: parsed.data };
}

/** A caller can still change its list. */
function copyList(value: unknown): unknown {
  return Array.isArray(value) ? value.map(copyList) : value;
}

/** Codecs, transforms and refinements are application code, and may throw for invalid values. */
function parse(schema: z.ZodType, given: unknown): z.ZodSafeParseResult<unknown> | undefined {
  try {
    return schema.safeParse(given, { error: plainIssue });
  } catch (thrown) {
    // An async schema is a mistake in the definition, not in the value.
    if (thrown instanceof z.core.$ZodAsyncError) throw thrown;
    return undefined;
  }
}

function toIssue(issue: z.core.$ZodIssue, path: readonly (string | number)[]): Issue {
  const inner = issue.path.map((segment) => (typeof segment === "symbol" ? String(segment) : segment));
  return { path: [...path, ...inner], message: issue.message, code: issue.code };
}
