import { isPlainObject } from "../../errors/refuse.ts";

/** Text that is code already, such as `new Date("2026-01-01")`. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const MAX_WIDTH = 100;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Prints a value as a TypeScript literal, over several lines if it is long. */
export function printLiteral(value: unknown, indent = ""): string {
  const short = oneLine(value);
  if (indent.length + short.length <= MAX_WIDTH) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => `${inner}${printLiteral(one, inner)},\n`).join("")}${indent}]`;
  }
  if (!isPlainObject(value)) return short;
  const lines = membersOf(value).map(([name, one]) => `${inner}${name}: ${printLiteral(one, inner)},\n`);
  return `{\n${lines.join("")}${indent}}`;
}

function oneLine(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  const members = membersOf(value).map(([name, one]) => `${name}: ${oneLine(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** `"__proto__": …` in a literal would set the prototype. */
function membersOf(value: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(value).map(([name, one]) => {
    if (name === "__proto__") return ['["__proto__"]', one];
    return [IDENTIFIER.test(name) ? name : JSON.stringify(name), one];
  });
}
