import { Kind, type ValueNode } from "graphql";

/** The JSON value of a literal. Objects have no prototype, so that no key of a caller can reach one. */
export function valueOfLiteral(
  node: ValueNode,
  variables: Readonly<Record<string, unknown>> | null | undefined,
): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables?.[node.name.value] ?? null;
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((item) => valueOfLiteral(item, variables));
    case Kind.OBJECT: {
      const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const field of node.fields) value[field.name.value] = valueOfLiteral(field.value, variables);
      return value;
    }
    default:
      return node.value;
  }
}
