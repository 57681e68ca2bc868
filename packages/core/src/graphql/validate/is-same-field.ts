import { type FieldNode, Kind, type ValueNode } from "graphql";

/**
 * Whether two fields with the same response key have the same name, and the same arguments in the same order (§5.3.2).
 */
export function isSameField(a: FieldNode, b: FieldNode): boolean {
  if (a === b) return true;
  const given = a.arguments ?? [];
  const other = b.arguments ?? [];
  if (a.name.value !== b.name.value || given.length !== other.length) return false;
  return given.every(({ name, value }, index) => {
    const one = other[index];
    return one !== undefined && one.name.value === name.value && isSameValue(value, one.value);
  });
}

function isSameValue(a: ValueNode, b: ValueNode): boolean {
  switch (a.kind) {
    case Kind.VARIABLE:
      return b.kind === Kind.VARIABLE && a.name.value === b.name.value;
    case Kind.NULL:
      return b.kind === Kind.NULL;
    case Kind.LIST:
    case Kind.OBJECT:
      return false;
    default:
      return a.kind === b.kind && "value" in b && a.value === b.value;
  }
}
