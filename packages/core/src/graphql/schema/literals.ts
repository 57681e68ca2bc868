import { Kind, type ValueNode } from "graphql";

/** Returns the JSON value of a literal. Objects have no prototype, so no key from a client can reach one. */
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
      for (const { name, value: member } of node.fields) {
        // A variable without a value omits its member, as in an input object (specification §3.10).
        if (member.kind === Kind.VARIABLE && !Object.hasOwn(variables ?? {}, member.name.value)) continue;
        value[name.value] = valueOfLiteral(member, variables);
      }
      return value;
    }
    default:
      return node.value;
  }
}
