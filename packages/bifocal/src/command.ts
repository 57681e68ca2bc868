import type { ParseArgsOptionDescriptor } from "node:util";
import type { Io } from "./io.ts";

/** What the shell sees. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Option extends ParseArgsOptionDescriptor {
  /** `<folder>`, where it takes a value. */
  readonly value?: string;
  readonly says: string;
}

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export interface Call {
  readonly values: Values;
  /** What follows the options, as many as the command has arguments. */
  readonly args: readonly string[];
  readonly io: Io;
}

export interface Command {
  /** `db plan` */
  readonly name: string;
  readonly summary: string;
  /** More of it, for its own help. */
  readonly details?: string;
  readonly args?: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly run: (call: Call) => Promise<ExitCode>;
}

/** A mistake in how a command was called, or in what it needs: exit code 2. */
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

/** Throws `UsageError` where it is missing. */
export function requireText(values: Values, name: string, example: string): string {
  const value = textOf(values, name);
  if (value === undefined || value === "") throw new UsageError(`--${name} is missing: --${name} ${example}`);
  return value;
}
