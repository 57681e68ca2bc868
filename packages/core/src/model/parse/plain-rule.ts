import type { z } from "zod";

/** The conditions of a schema that returns its value unchanged. All of them must hold. */
export interface PlainRule {
  readonly kind: "text" | "number" | "boolean" | "oneOf" | "list";
  readonly isNullable: boolean;
  /**
   * Inclusive bounds. For a number they limit the value, for a text the length in UTF-16 units, for a list the number
   * of its items. The lower bound of a text is high enough for every way to count characters.
   */
  readonly least: number;
  readonly most: number;
  /** Exclusive bounds of a number. */
  readonly above: number;
  readonly below: number;
  readonly isInteger: boolean;
  readonly patterns: readonly RegExp[];
  readonly values: ReadonlySet<unknown>;
  /** The rule of each item of a list. */
  readonly item: PlainRule | undefined;
}

type Draft = { -readonly [K in keyof PlainRule]: PlainRule[K] };

/**
 * Returns the rule of a schema that only checks its value; undefined for other schemas. Most fields have such a schema
 * and most values are valid. Checking them here is faster than zod, whose many small functions are slow when they run
 * rarely.
 */
export function plainRule(schema: z.core.$ZodType): PlainRule | undefined {
  const { def, traits, values } = (schema as z.core.$ZodTypes)._zod;
  // The exact class: a derived class may have further conditions.
  const [own = ""] = traits;
  switch (own) {
    case "ZodOptional":
    case "ZodDefault":
    case "ZodPrefault":
    case "ZodNonOptional":
    case "ZodReadonly":
      return plainRule((def as z.core.$ZodOptionalDef).innerType);
    case "ZodNullable": {
      const inner = plainRule((def as z.core.$ZodNullableDef).innerType);
      return inner && { ...inner, isNullable: true };
    }
    case "ZodString":
    case "ZodUUID":
    case "ZodGUID":
    case "ZodEmail":
      return withChecks(createDraft("text"), schema);
    case "ZodNumber":
    case "ZodNumberFormat":
      return withChecks(createDraft("number"), schema);
    case "ZodBoolean":
      return withChecks(createDraft("boolean"), schema);
    case "ZodArray": {
      const item = plainRule((def as z.core.$ZodArrayDef).element);
      return item && withChecks({ ...createDraft("list"), item }, schema);
    }
    case "ZodEnum":
    case "ZodLiteral":
      return values && withChecks({ ...createDraft("oneOf"), values }, schema);
    default:
      return undefined;
  }
}

/**
 * Whether a value is certainly valid. If this returns false, the schema may still accept the value; otherwise it
 * reports the issues.
 */
export function passesPlainRule(rule: PlainRule, value: unknown): boolean {
  if (value === null) return rule.isNullable;
  switch (rule.kind) {
    case "text":
      return typeof value === "string" && isBetween(rule, value.length) && fits(rule.patterns, value);
    case "number":
      if (typeof value !== "number" || !isBetween(rule, value)) return false;
      if (value <= rule.above || value >= rule.below) return false;
      return rule.isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "oneOf":
      // A missing value may have a default.
      return value !== undefined && rule.values.has(value);
    case "list":
      return Array.isArray(value) && isBetween(rule, value.length) && passAll(rule.item as PlainRule, value);
  }
}

function passAll(rule: PlainRule, items: readonly unknown[]): boolean {
  for (const item of items) if (!passesPlainRule(rule, item)) return false;
  return true;
}

function createDraft(kind: PlainRule["kind"]): Draft {
  const [least, most] = [-Infinity, Infinity];
  const range = { least, most, above: least, below: most };
  return { kind, isNullable: false, ...range, isInteger: false, patterns: [], values: new Set(), item: undefined };
}

function withChecks(draft: Draft, schema: z.core.$ZodType): PlainRule | undefined {
  const { def } = schema._zod;
  if ((def as { readonly coerce?: boolean }).coerce === true) return undefined;
  const own = "check" in def ? [schema as unknown as z.core.$ZodCheck] : [];
  const all = [...own, ...(def.checks ?? [])].every((check) => addCheck(draft, check));
  return all ? draft : undefined;
}

/**
 * Adds a check to the rule. Returns false if the check is unknown or its definition doesn't describe it completely.
 */
function addCheck(draft: Draft, check: z.core.$ZodCheck): boolean {
  const def = check._zod.def as z.core.$ZodChecks["_zod"]["def"];
  switch (def.check) {
    case "min_length":
      // zod counts code points in newer versions and UTF-16 units in older ones. Twice as many units satisfy both.
      draft.least = Math.max(draft.least, (draft.kind === "list" ? 1 : 2) * def.minimum);
      return true;
    case "max_length":
      draft.most = Math.min(draft.most, def.maximum);
      return true;
    case "greater_than":
      if (typeof def.value !== "number") return false;
      if (def.inclusive) draft.least = Math.max(draft.least, def.value);
      else draft.above = Math.max(draft.above, def.value);
      return true;
    case "less_than":
      if (typeof def.value !== "number") return false;
      if (def.inclusive) draft.most = Math.min(draft.most, def.value);
      else draft.below = Math.min(draft.below, def.value);
      return true;
    case "number_format":
      return addFormat(draft, def.format);
    case "string_format": {
      const { format, pattern } = def;
      if (pattern === undefined || !["uuid", "guid", "email", "regex"].includes(format)) return false;
      draft.patterns = [...draft.patterns, pattern];
      return true;
    }
    default:
      return false;
  }
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  safeint: [-Infinity, Infinity],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
};

function addFormat(draft: Draft, format: string): boolean {
  const [least, most] = RANGES[format] ?? [];
  if (least === undefined || most === undefined) return false;
  draft.isInteger = true;
  draft.least = Math.max(draft.least, least);
  draft.most = Math.min(draft.most, most);
  return true;
}

function isBetween({ least, most }: PlainRule, value: number): boolean {
  return value >= least && value <= most;
}

function fits(patterns: readonly RegExp[], text: string): boolean {
  for (const pattern of patterns) {
    // A global pattern would otherwise continue where it stopped last.
    pattern.lastIndex = 0;
    if (!pattern.test(text)) return false;
  }
  return true;
}
