import { type DocumentNode, Kind, type SelectionNode, visit } from "graphql";
import { nameOf, type Variables } from "./literal.ts";
import { UNSURE } from "./unsure.ts";

export type IsIncluded = (node: SelectionNode) => boolean;

/** The variables that `@skip` and `@include` look at. */
export function conditionsOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  // Most documents have no directive, and no sign of one.
  if (document.loc?.source.body.includes("@") === false) return [];
  visit(document, {
    Directive: ({ name, arguments: given }) => {
      if (name.value !== "skip" && name.value !== "include") return;
      for (const { value } of given ?? []) if (value.kind === Kind.VARIABLE) names.add(nameOf(value));
    },
  });
  return [...names];
}

/** Decides by the values of one execution (specification §3.13.1 and §3.13.2). */
export function includedBy(variables: Variables): IsIncluded {
  const isTrue = (node: SelectionNode, name: string): boolean | undefined => {
    const directive = node.directives?.find((one) => one.name.value === name);
    if (directive === undefined) return undefined;
    const value = directive.arguments?.[0]?.value;
    if (value?.kind === Kind.BOOLEAN) return value.value;
    const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    if (typeof given !== "boolean") throw UNSURE;
    return given;
  };
  return (node) => {
    if (node.directives === undefined || node.directives.length === 0) return true;
    return isTrue(node, "skip") !== true && isTrue(node, "include") !== false;
  };
}
