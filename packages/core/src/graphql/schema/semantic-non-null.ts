import {
  type ConstDirectiveNode,
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLField,
  type GraphQLFieldConfig,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  Kind,
} from "graphql";

const NAME = "semanticNonNull";

/** The directive that Relay, Apollo Kotlin and graphql-sock read (https://relay.dev/docs/guides/semantic-nullability). */
export const SEMANTIC_NON_NULL = new GraphQLDirective({
  name: NAME,
  description:
    "The field is null only if there is an error for it. `levels` lists the list levels that this applies to: 0 is the field itself.",
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: { levels: { type: new GraphQLList(GraphQLInt), defaultValue: [0] } },
});

/** Marks a field, in the form that the tools of GraphQL read from schema objects. */
export const semanticNonNull: Pick<GraphQLFieldConfig<unknown, unknown>, "extensions"> = {
  extensions: { directives: { [NAME]: {} } },
};

type Field = GraphQLField<unknown, unknown>;

/** Returns whether a derived field is marked. */
export function isSemanticNonNull({ extensions }: Pick<Field, "extensions">): boolean {
  const directives = extensions["directives"] as Readonly<Record<string, unknown>> | undefined;
  return directives !== undefined && Object.hasOwn(directives, NAME);
}

/** Returns the type of a field's values if nothing goes wrong: a marked field is non-null. */
export function typeWithoutErrors(field: Field): GraphQLOutputType {
  return isNonNullType(field.type) || !isSemanticNonNull(field) ? field.type : new GraphQLNonNull(field.type);
}

/** Returns the directive to print for a field that Bifocal or the SDL of a host has marked. */
export function directiveOf(field: Field): ConstDirectiveNode | undefined {
  const own: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: NAME } };
  return isSemanticNonNull(field) ? own : field.astNode?.directives?.find(({ name }) => name.value === NAME);
}

export function hasSemanticNonNull(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) => (isObjectType(type) || isInterfaceType(type)) && Object.values(type.getFields()).some(isSemanticNonNull),
  );
}
