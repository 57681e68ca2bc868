import { suggestName } from "./closest-name.ts";

/** The names of all options of a function. Doesn't compile if an option is missing. */
export type OptionNames<Options> = Readonly<Record<keyof Required<Options>, true>>;

/**
 * Throws a `TypeError` unless options are an object with known names. Callers without type checking make mistakes that
 * otherwise have no effect.
 */
export function checkOptionNames<Options extends object>(
  call: string,
  options: Options,
  names: OptionNames<Options>,
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError(`The options of ${call}() must be an object; received ${kindOf(options)}.`);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const known = Object.keys(names);
    throw new TypeError(
      `${call}() has no option '${name}'. ${suggestName(name, known)}Available: ${known.join(", ")}.`,
    );
  }
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
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise. Await it first";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
