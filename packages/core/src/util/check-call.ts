import { suggestName } from "./closest-name.ts";

/** A kind of value, by the words for it in errors. */
export type ValueKind = keyof typeof KINDS;

/** The kind of each option of a function, or true if the function checks it. Doesn't compile if an option is missing. */
export type CallOptionKinds<Options> = Readonly<Record<keyof Required<Options>, ValueKind | true>>;

const KINDS = {
  "a string": (value: unknown) => typeof value === "string",
  "a list of strings": (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  // NaN is not at least 0.
  "a number of at least 0": (value: unknown) => typeof value === "number" && value >= 0,
  "true or false": (value: unknown) => typeof value === "boolean",
  "a function": (value: unknown) => typeof value === "function",
  "an object": (value: unknown) => kindOf(value) === "an object",
};

/**
 * Throws a `TypeError` unless options are an object with known names and values of their kinds. Callers without type
 * checking make mistakes that otherwise have no effect.
 */
export function checkCallOptions<Options extends object>(
  call: string,
  options: Options,
  kinds: CallOptionKinds<Options>,
): void {
  checkOptionsObject(call, options);
  for (const [name, value] of Object.entries(options) as [keyof Options & string, unknown][]) {
    if (!Object.hasOwn(kinds, name)) {
      const known = Object.keys(kinds);
      throw new TypeError(
        `${call}() has no option '${name}'. ${suggestName(name, known)}Available: ${known.join(", ")}.`,
      );
    }
    const kind: ValueKind | true = kinds[name];
    if (value === undefined || kind === true || KINDS[kind](value)) continue;
    throw new TypeError(`The option '${name}' of ${call}() must be ${kind}; received ${kindOf(value)}.`);
  }
}

/** Throws a `TypeError` unless options are an object. */
export function checkOptionsObject(call: string, options: unknown): void {
  if (kindOf(options) !== "an object")
    throw new TypeError(`The options of ${call}() must be an object; received ${kindOf(options)}.`);
}

/** Throws a `TypeError` if an option is missing. `example` is a valid call. */
export function checkRequired(call: string, name: string, value: unknown, example: string): void {
  if (value === undefined || value === "")
    throw new TypeError(
      `${call}() needs '${name}', such as ${example}. If it comes from an environment variable, check that it is set.`,
    );
}

/** Throws a `TypeError` unless an option is absent or has one of these values. `others` describes the other allowed values. */
export function checkChoice(
  call: string,
  option: string,
  value: unknown,
  choices: readonly string[],
  ...others: readonly string[]
): void {
  if (value === undefined || choices.includes(value as string)) return;
  const received =
    typeof value === "string" ? `'${value}'. ${suggestName(value, choices)}`.trimEnd() : `${kindOf(value)}.`;
  const allowed = choices.map((choice) => `'${choice}'`).concat(others);
  const last = allowed.pop() ?? "";
  throw new TypeError(
    `The option '${option}' of ${call}() must be ${allowed.join(", ")} or ${last}; received ${received}`,
  );
}

/** Throws a `TypeError` unless a value is the result of `defineApi`. */
export function checkApi(call: string, api: unknown): void {
  if (typeof api === "object" && api !== null && (api as { "~bifocal"?: unknown })["~bifocal"] === "api") return;
  throw new TypeError(`${call}() must receive an API, the result of defineApi(); received ${kindOf(api)}.`);
}

/** Describes a value without its contents, which could be secret. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value);
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise. Await it first";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
