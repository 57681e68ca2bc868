import {
  GraphQLID,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from "graphql";
import type { FieldModel, InputMode, RelationModel, ResourceModel } from "../../model/model.ts";
import { isWritable, takes } from "../../model/parse/input-parser.ts";
import { standardValue, tellsTime } from "../standard-value.ts";
import { capitalize } from "./names.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { offeredNested } from "../../model/offered.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { nonNullInput } from "./value-types.ts";

const ABOUT: Readonly<Record<InputMode, string>> = {
  create: "A new row. Omitted fields get their defaults.",
  replace: "The complete new row. Every field is required; nullable fields can be null.",
  update: "The changes. Omitted fields stay unchanged; null clears a field.",
};

/** Creates `CreateBookInput`, `ReplaceBookInput` or `UpdateBookInput`. Returns undefined if no field is writable. */
export function writeInput(
  types: SchemaTypes,
  resource: ResourceModel,
  mode: InputMode,
): GraphQLInputObjectType | undefined {
  const name = `${capitalize(mode)}${resource.typeName}Input`;
  return inputType(types, resource, mode, { name, description: ABOUT[mode] });
}

/**
 * Creates `CreateAuthorBooksInput`: the input for rows that are created together with another row, whose key they get.
 */
export function nestedInput(types: SchemaTypes, relation: RelationModel): GraphQLInputObjectType | undefined {
  const [source, target] = [resourceOf(types.model, relation.source), resourceOf(types.model, relation.target)];
  if (relation.kind === "belongsTo") return types.write(target, "create");
  const name = types.names.claim(`Create${source.typeName}${capitalize(relation.name)}Input`);
  const description = `A new ${target.typeName}, created with its ${source.typeName}.`;
  return inputType(types, target, "create", { name, description, decided: relation.foreign });
}

/** Creates `UpdateAuthorBooksInput`: the changes of a row that is updated together with another row. */
export function childUpdateInput(types: SchemaTypes, relation: RelationModel): GraphQLInputObjectType | undefined {
  const [source, target] = [resourceOf(types.model, relation.source), resourceOf(types.model, relation.target)];
  const ifMatch = { type: GraphQLString, description: "The version that the row must have: an ETag, or `*`." };
  return inputType(types, target, "update", {
    name: types.names.claim(`Update${source.typeName}${capitalize(relation.name)}Input`),
    description: `The changes of a ${target.typeName}. Omitted fields stay unchanged; null clears a field.`,
    decided: relation.foreign,
    own: [
      ["id", { type: new GraphQLNonNull(GraphQLID) }],
      ["ifMatch", ifMatch],
    ],
  });
}

interface About {
  readonly name: string;
  readonly description: string;
  /** The fields that the caller cannot write, because the related row determines them. */
  readonly decided?: readonly string[];
  /** Fields that aren't those of the row. */
  readonly own?: readonly InputField[];
}

type InputField = readonly [string, GraphQLInputFieldConfig];

function inputType(
  types: SchemaTypes,
  resource: ResourceModel,
  mode: InputMode,
  { name, description, decided = [], own = [] }: About,
): GraphQLInputObjectType | undefined {
  const writable = resource.visibleFields.filter(
    (field) => takes(resource, field, mode) && !decided.includes(field.name),
  );
  const nested = offeredNested(types.model, resource, mode).filter((one) => !isDecided(one, decided));
  if (writable.length === 0 && nested.length === 0) return undefined;
  const fieldsOf = (): readonly InputField[] => [
    ...own,
    ...writable.map((field) => [field.name, fieldConfig(types, resource, field, mode)] as const),
    ...nested.flatMap((relation) => nestedConfig(types, relation, mode)),
  ];
  return new GraphQLInputObjectType({ name, description, fields: () => Object.fromEntries(fieldsOf()) });
}

/** Whether the row that the relation would create already exists. */
export function isDecided({ kind, local }: RelationModel, decided: readonly string[]): boolean {
  return kind === "belongsTo" && local.some((name) => decided.includes(name));
}

function nestedConfig(types: SchemaTypes, relation: RelationModel, mode: InputMode): readonly InputField[] {
  if (relation.kind === "manyToMany") return [[relation.name, linksConfig(types, relation, mode)]];
  if (mode === "update") {
    const changes = types.children(relation);
    return changes === undefined ? [] : [[relation.name, { type: changes }]];
  }
  const type = types.nested(relation);
  if (type === undefined) return [];
  const { name, many, kind, local, creates, target } = relation;
  const { typeName, plural } = resourceOf(types.model, target);
  const instead = kind === "belongsTo" ? `, instead of ${local.map((field) => `\`${field}\``).join(" and ")}` : "";
  const description = many
    ? `Up to ${creates} ${plural} to create in the same request.`
    : `A ${typeName} to create in the same request${instead}.`;
  return [[name, { type: many ? new GraphQLList(new GraphQLNonNull(type)) : type, description }]];
}

function linksConfig(types: SchemaTypes, relation: RelationModel, mode: InputMode): GraphQLInputFieldConfig {
  if (mode === "update") return { type: types.links(relation) };
  const { plural } = resourceOf(types.model, relation.target);
  const ids = new GraphQLList(new GraphQLNonNull(GraphQLID));
  const others = mode === "replace" ? " Without it, the links stay unchanged." : "";
  return { type: ids, description: `The ids of all linked ${plural}, at most ${relation.links}.${others}` };
}

function fieldConfig(
  types: SchemaTypes,
  resource: ResourceModel,
  field: FieldModel,
  mode: InputMode,
): GraphQLInputFieldConfig {
  const type = field.identifies ? GraphQLID : types.input(field.input, resource.typeName + capitalize(field.name));
  const isElsewhere = offeredNested(types.model, resource, "create").some((one) => isDecided(one, [field.name]));
  const isOptional =
    mode === "create"
      ? !field.required || isElsewhere
      : mode === "update" || field.filledByHook || !isWritable(field, mode);
  const optional = field.input.nullable || isOptional;
  const value = mode === "create" ? standardValue(field) : undefined;
  const isKnown = mode === "create" && field.default !== undefined && !tellsTime(field.input);
  const isToldInWords = isKnown && value === undefined;
  const standard = isToldInWords ? `Default: ${JSON.stringify(field.default)}.` : undefined;
  const description = [field.description, standard].filter((text) => text !== undefined).join("\n\n");
  return {
    type: nonNullInput(type, optional),
    ...(value === undefined ? {} : { defaultValue: value }),
    description: description === "" ? null : description,
    // A required input cannot be deprecated (specification §3.10).
    deprecationReason: optional ? (field.deprecated ?? null) : null,
  };
}
