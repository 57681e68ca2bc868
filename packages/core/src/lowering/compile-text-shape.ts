import type { TextPart, TextShape } from "../operation/text-shape.ts";

/**
 * A member of a row in the text of a style. `Row` is how the style describes a related row. `object` holds members of
 * its own, such as the page around related rows.
 */
export type TextMember<Row> = { readonly key: string } & (
  | { readonly kind: "constant"; readonly text: string }
  | { readonly kind: "field"; readonly name: string; readonly isId: boolean }
  | { readonly kind: "one" | "many"; readonly as: string; readonly row: Row }
  | { readonly kind: "object"; readonly members: readonly TextMember<Row>[] }
);

/** Returns the members of a row in their order, or undefined if a value needs special serialization. */
export type MembersOf<Row> = (row: Row) => readonly TextMember<Row>[] | undefined;

/** Compiles the template for the text of a row, for stores that can produce it. */
export function compileTextShape<Row>(row: Row, membersOf: MembersOf<Row>): TextShape | undefined {
  const members = membersOf(row);
  return members && compileMembers(members, membersOf);
}

function compileMembers<Row>(
  members: readonly TextMember<Row>[],
  membersOf: MembersOf<Row>,
): readonly TextPart[] | undefined {
  const parts: TextPart[] = ["{"];
  for (const [index, member] of members.entries()) {
    const value = compileValue(member, membersOf);
    if (value === undefined) return undefined;
    parts.push(`${index === 0 ? "" : ","}${JSON.stringify(member.key)}:`, ...value);
  }
  return [...parts, "}"];
}

function compileValue<Row>(member: TextMember<Row>, membersOf: MembersOf<Row>): readonly TextPart[] | undefined {
  switch (member.kind) {
    case "constant":
      return [member.text];
    case "field":
      return [{ kind: "field", name: member.name, isId: member.isId }];
    case "object":
      return compileMembers(member.members, membersOf);
    default: {
      const { kind, as } = member;
      const shape = compileTextShape(member.row, membersOf);
      if (shape === undefined) return undefined;
      return kind === "one" ? [{ kind, as, shape }] : ["[", { kind, as, shape }, "]"];
    }
  }
}
