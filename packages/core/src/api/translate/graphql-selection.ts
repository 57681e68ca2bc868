import { type GraphQLField, type GraphQLObjectType, isObjectType } from "graphql";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { Count } from "../../operation/count.ts";
import type { RelationSelection, Selection } from "../../operation/selection.ts";
import { groupsArguments, argumentsOfList } from "./graphql-arguments.ts";
import type { DocumentVariables } from "./graphql-variables.ts";
import { aggregationNames } from "./list-words.ts";
import { notExpressible } from "./not-expressible-error.ts";
import { type PrintContext, type PrintedResource, printedResource } from "./print-context.ts";

type Field = GraphQLField<unknown, unknown>;

/** Returns a field of an object type. Throws if GraphQL doesn't have it. */
export function schemaField(
  { schema }: PrintContext,
  type: string | GraphQLObjectType | null | undefined,
  name: string,
): Field {
  const found = typeof type === "string" ? schema.getType(type) : type;
  const field = isObjectType(found) ? found.getFields()[name] : undefined;
  return field ?? notExpressible(`GraphQL has no field '${name}' here.`);
}

/** Writes the selection set of a row. */
export function rowSelection(
  context: PrintContext,
  { resource, described }: PrintedResource,
  selection: Selection,
  variables: DocumentVariables,
): string {
  const parts = selection.fields.map((name) => {
    const field = described.fields[name];
    if (field === undefined || field.isRestOnly === true)
      return notExpressible(`GraphQL has no field '${name}' of '${resource.name}'.`);
    return name + (field.select === undefined ? "" : ` ${field.select}`);
  });
  const used = new Map<string, number>();
  for (const relation of selection.relations) {
    const target = printedResource(context, resource.relations.get(relation.relation)?.target ?? "");
    const name = relation.aggregation === undefined ? relation.relation : `${relation.relation}Aggregate`;
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    // The second one needs an alias.
    const alias = times === 1 ? "" : `${name}${times}: `;
    parts.push(
      alias + relationText(context, target, schemaField(context, resource.typeName, name), relation, variables),
    );
  }
  return `{ ${parts.length === 0 ? "__typename" : parts.join(" ")} }`;
}

function relationText(
  context: PrintContext,
  target: PrintedResource,
  field: Field,
  relation: RelationSelection,
  variables: DocumentVariables,
): string {
  const { aggregation, page, count, selection } = relation;
  if (aggregation !== undefined) {
    const args = groupsArguments(context, target.resource, field, aggregation, relation);
    return `${field.name}${variables.write(field, args, field.name)} ${groupsText(target, aggregation)}`;
  }
  if (page === undefined) return `${field.name} ${rowSelection(context, target, selection, variables)}`;
  const args = argumentsOfList(context, target.resource, field, relation);
  return `${field.name}${variables.write(field, args, field.name)} ${connection(context, target, selection, count, variables)}`;
}

/** Writes the selection set of a page. */
export function connection(
  context: PrintContext,
  target: PrintedResource,
  selection: Selection,
  count: Count | undefined,
  variables: DocumentVariables,
): string {
  const total = count === "exact" ? " exactTotalCount" : count === true ? " totalCount" : "";
  return `{ nodes ${rowSelection(context, target, selection, variables)}${total} }`;
}

/** Writes the selection set of a page of groups. */
export function groupsText({ described }: PrintedResource, aggregation: Aggregation): string {
  const { measures, groups } = aggregationNames(aggregation);
  const keys = groups.map((term) => {
    const name = term.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
    return name + (described.fields[term]?.select ?? "");
  });
  const functions = new Map<string, string[]>();
  for (const measure of measures) {
    const [name = "", field] = measure.split(".");
    functions.set(name, [...(functions.get(name) ?? []), ...(field === undefined ? [] : [field])]);
  }
  const values = [...functions].map(([name, fields]) =>
    fields.length === 0 ? name : `${name} { ${fields.join(" ")} }`,
  );
  const parts = [...(keys.length === 0 ? [] : [`group { ${keys.join(" ")} }`]), ...values];
  return `{ nodes { ${parts.length === 0 ? "__typename" : parts.join(" ")} } }`;
}
