import { Kind, type ValueNode } from "graphql";

/** Whether a literal is nested deeper than `levels` lists and objects. */
export function nestsBeyond(value: ValueNode | undefined, levels: number): boolean {
  if (value === undefined) return false;
  if (value.kind === Kind.LIST) return levels === 0 || value.values.some((one) => nestsBeyond(one, levels - 1));
  if (value.kind !== Kind.OBJECT) return false;
  return levels === 0 || value.fields.some((field) => nestsBeyond(field.value, levels - 1));
}
