import type { FieldModel } from "@bifocal/core/store";

/** PostgreSQL's B-trees hold values of up to 2,704 bytes. A character has up to four, and the key needs some as well. */
const MAX_CHARACTERS = 600;

const UNBOUNDED: ReadonlySet<string> = new Set(["string", "email", "url"]);

interface Definition {
  readonly innerType?: Schema;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check?: string } & Lengths } }[];
}

interface Lengths {
  readonly maximum?: number;
  readonly length?: number;
}

interface Schema {
  readonly _zod: { readonly def: Definition };
}

/** Whether a field can hold text that is too long for a B-tree: its schema has no maximum of at most 600 characters. */
export function isLongText({ type, schema }: FieldModel): boolean {
  if (!UNBOUNDED.has(type.kind)) return false;
  const format = type.kind === "string" && "format" in type ? type.format : undefined;
  if (format === "ipv4" || format === "ipv6" || format === "ulid") return false;
  return maxLength(schema) > MAX_CHARACTERS;
}

function maxLength(schema: Schema): number {
  const { innerType, checks = [] } = schema._zod.def;
  if (innerType !== undefined) return maxLength(innerType);
  const lengths = checks.map(({ _zod: { def } }) => {
    if (def.check === "max_length") return def.maximum ?? Infinity;
    return def.check === "length_equals" ? (def.length ?? Infinity) : Infinity;
  });
  return Math.min(Infinity, ...lengths);
}
