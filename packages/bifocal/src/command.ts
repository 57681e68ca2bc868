import type { ParseArgsOptionDescriptor } from "node:util";
import type { Io } from "./io.ts";

/** Exit codes of the process. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Option extends ParseArgsOptionDescriptor {
  /** Placeholder of the value, such as `<folder>`. */
  readonly value?: string;
  readonly description: string;
}

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export interface Call {
  readonly values: Values;
  /** Positional arguments, exactly as many as the command declares. */
  readonly args: readonly string[];
  readonly io: Io;
}

export interface Command {
  /** `db plan` */
  readonly name: string;
  readonly summary: string;
  /** Additional text for the command's own help. */
  readonly details?: string;
  readonly args?: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly run: (call: Call) => Promise<ExitCode>;
}

/** An error in the command line or its configuration: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

export function textsOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

/** Throws `UsageError` if the option is missing or empty. */
export function requireText(values: Values, name: string, example: string): string {
  const value = textOf(values, name);
  if (value === undefined || value === "")
    throw new UsageError(`Missing option --${name}. Example: --${name} ${example}`);
  return value;
}
