import { kindOf } from "../util/check-call.ts";
import { printValue } from "../util/print-value.ts";
import type { Report } from "../model/resolve/draft.ts";
import { checkMembers, isObject } from "../model/resolve/read-config.ts";

/** The values that an option accepts. */
export interface OptionKind {
  /** Such as `a string`. */
  readonly expected: string;
  /** What to pass instead of another value. */
  readonly fix: string;
  readonly accepts: (value: unknown) => boolean;
  /** Describes a value that isn't accepted. Default: its type, because it could be secret. */
  readonly describe?: (value: unknown) => string;
  /** Reports invalid parts of an accepted value. */
  readonly check?: (value: unknown, at: string, report: Report) => void;
}

/** The kind of each option of a type. Doesn't compile if one is missing. */
export type OptionKinds<Options> = Readonly<Record<keyof Required<Options>, OptionKind>>;

/** Reports a value of another kind. */
export function checkKind(kind: OptionKind, value: unknown, at: string, report: Report): void {
  if (kind.accepts(value)) kind.check?.(value, at, report);
  else report(at, `Expected ${kind.expected}; received ${(kind.describe ?? kindOf)(value)}.`, kind.fix);
}

/** Reports values of the wrong kind. `undefined` stands for the default. */
export function checkKinds(
  kinds: Readonly<Record<string, OptionKind>>,
  values: Readonly<Record<string, unknown>>,
  report: Report,
  parent?: string,
): void {
  for (const [name, kind] of Object.entries(kinds)) {
    if (values[name] !== undefined)
      checkKind(kind, values[name], parent === undefined ? name : `${parent}.${name}`, report);
  }
}

// Text such as "false", from an environment variable, would turn an option on.
export const FLAG: OptionKind = {
  expected: "true or false",
  fix: 'Pass a boolean. For an environment variable: process.env.DEBUG === "true".',
  accepts: (value) => typeof value === "boolean",
};

export function text(fix: string): OptionKind {
  return { expected: "a string", fix, accepts: (value) => typeof value === "string" };
}

export function texts(fix: string): OptionKind {
  const accepts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");
  return { expected: "a list of strings", fix, accepts };
}

export function number(fix: string): OptionKind {
  // NaN is not at least 0.
  return { expected: "a number of at least 0", fix, accepts: (value) => typeof value === "number" && value >= 0 };
}

/** One of a few values. */
export function choice(fix: string, ...values: readonly unknown[]): OptionKind {
  const shown = values.map((value) => JSON.stringify(value));
  const expected = `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
  return { expected, fix, accepts: (value) => values.includes(value), describe: printValue };
}

/** An object with methods, such as a store. */
export function withMethods(expected: string, methods: readonly string[], fix: string): OptionKind {
  return { expected, fix, accepts: (value) => methods.every((method) => hasMethod(value, method)) };
}

/** An object of options. Without `kinds`, they are checked elsewhere. */
export function group(fix: string, kinds?: Readonly<Record<string, OptionKind>>): OptionKind {
  const check: OptionKind["check"] = (value, at, report) => {
    if (kinds === undefined) return;
    const members = value as Readonly<Record<string, unknown>>;
    checkMembers(members, Object.keys(kinds), at, report);
    checkKinds(kinds, members, report, at);
  };
  return { expected: "an object", fix, accepts: isObject, check };
}

/** An object with values of one kind under names of the application. */
export function entries(fix: string, kind: OptionKind): OptionKind {
  const check: OptionKind["check"] = (value, at, report) => {
    for (const [name, one] of Object.entries(value as object))
      if (one !== undefined) checkKind(kind, one, `${at}.${name}`, report);
  };
  return { expected: "an object", fix, accepts: isObject, check };
}

/** A list with values of one kind. */
export function list(fix: string, kind: OptionKind): OptionKind {
  const check: OptionKind["check"] = (value, at, report) => {
    for (const [index, one] of (value as readonly unknown[]).entries()) checkKind(kind, one, `${at}[${index}]`, report);
  };
  return { expected: "a list", fix, accepts: Array.isArray, check };
}

/** A value of one of several kinds. */
export function oneOf(
  expected: string,
  fix: string,
  ...kinds: readonly Pick<OptionKind, "accepts" | "check">[]
): OptionKind {
  const find = (value: unknown): Pick<OptionKind, "check"> | undefined => kinds.find((kind) => kind.accepts(value));
  return {
    expected,
    fix,
    accepts: (value) => find(value) !== undefined,
    check: (value, at, report) => find(value)?.check?.(value, at, report),
  };
}

function hasMethod(value: unknown, name: string): boolean {
  const mayHave = isObject(value) || typeof value === "function";
  return mayHave && typeof (value as Readonly<Record<string, unknown>>)[name] === "function";
}
