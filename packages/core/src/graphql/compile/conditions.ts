import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionNode, visit } from "graphql";
import type { Variables } from "./literal.ts";
import { UNSURE } from "./unsure.ts";

export type IsIncluded = (node: SelectionNode) => boolean;

/**
 * Returns the names of the operation's variables that `@skip` and `@include` use. Other operations may define variables
 * of the same names.
 */
export function conditionsOf(document: DocumentNode, operation: OperationDefinitionNode): readonly string[] {
  const names = new Set<string>();
  // Most documents have no directives, and so no `@`.
  if (document.loc?.source.body.includes("@") === false) return [];
  visit(document, {
    Directive: ({ name, arguments: given }) => {
      if (name.value !== "skip" && name.value !== "include") return;
      for (const { value } of given ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return (operation.variableDefinitions ?? []).flatMap(({ variable: { name }, type }) => {
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    const isBoolean = named.kind === Kind.NAMED_TYPE && named.name.value === "Boolean";
    return isBoolean && names.has(name.value) ? [name.value] : [];
  });
}

/** Returns one character per condition, so that equal decisions have equal texts. */
export function decisionsOf(conditions: readonly string[], variables: Variables): string {
  let text = "";
  for (const name of conditions) {
    const value = valueOf(variables, name);
    text += value === true ? "t" : value === false ? "f" : "-";
  }
  return text;
}

function valueOf(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Returns a predicate for the variables of one execution (specification §3.13.1 and §3.13.2). */
export function includedBy(variables: Variables): IsIncluded {
  const isTrue = (node: SelectionNode, name: string): boolean | undefined => {
    const directive = node.directives?.find((one) => one.name.value === name);
    if (directive === undefined) return undefined;
    const value = directive.arguments?.[0]?.value;
    if (value?.kind === Kind.BOOLEAN) return value.value;
    const given = value?.kind === Kind.VARIABLE ? valueOf(variables, value.name.value) : undefined;
    if (typeof given !== "boolean") throw UNSURE;
    return given;
  };
  return (node) => {
    if (node.directives === undefined || node.directives.length === 0) return true;
    return isTrue(node, "skip") !== true && isTrue(node, "include") !== false;
  };
}
