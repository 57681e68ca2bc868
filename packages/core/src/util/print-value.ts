/** Prints any value of application code: JSON with sorted members, and other values by their type. Equal data has equal text. */
export function printValue(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "bigint":
      return `${value}n`;
    case "function":
    case "symbol":
      return `<${typeof value}>`;
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "object":
      return printObject(value);
  }
}

function printObject(value: object | null): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  if (value instanceof Date) return `Date(${Number.isNaN(value.getTime()) ? "invalid" : value.toISOString()})`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const inner = members.map(([name, member]) => `${JSON.stringify(name)}: ${printValue(member)}`).join(", ");
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  return `${isPlain ? "" : `${value.constructor?.name ?? "object"} `}{${inner}}`;
}
