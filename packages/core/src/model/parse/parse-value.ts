import { z } from "zod";
import type { Issue } from "../../errors/bifocal-error.ts";
import type { InputForm } from "../model.ts";
import type { ValueShape } from "../shape/value-shape.ts";
import { lostKeys } from "./lost-keys.ts";
import { passesPlainRule, type PlainRule } from "./plain-rule.ts";

export interface ValueSchema {
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
  if (plain !== undefined && passesPlainRule(plain, given)) return { value: given };
  const parsed = parse(schema, given);
  if (parsed === undefined) {
    return { issues: [{ path, message: `${what} has an invalid value.`, code: "invalid_value" }] };
  }
  if (!parsed.success) return { issues: parsed.error.issues.map((issue) => toIssue(issue, path)) };
  const lost = lostKeys(given, parsed.data, path, what);
  return lost.length > 0 ? { issues: lost } : { value: parsed.data };
}

/** Codecs, transforms and refinements are application code, and may throw for invalid values. */
function parse(schema: z.ZodType, given: unknown): z.ZodSafeParseResult<unknown> | undefined {
  try {
    return schema.safeParse(given);
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
