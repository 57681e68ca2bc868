import {
  type GraphQLArgumentConfig,
  GraphQLDirective,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLType,
  GraphQLUnionType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from "graphql";

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

/** Finds the replacement of a type. */
export type Replace = <T extends GraphQLType>(type: T) => T;

/**
 * Creates a function that replaces the named types in a type. Types belong to one schema, so merging schemas rebuilds
 * them.
 */
export function replaceBy(find: (type: GraphQLNamedType) => GraphQLNamedType): Replace {
  const replace = (type: GraphQLType): GraphQLType => {
    if (isListType(type)) return new GraphQLList(replace(type.ofType));
    if (isNonNullType(type)) return new GraphQLNonNull(replace(type.ofType) as never);
    return find(type);
  };
  return replace as Replace;
}

/** The fields and interfaces that another schema adds to an object type, in that schema's types. */
export interface Addition {
  readonly fields: Fields;
  readonly interfaces: readonly GraphQLInterfaceType[];
}

/** Rebuilds a type with replaced types. Scalars and enums refer to no other types, so they are returned unchanged. */
export function rebuildType(type: GraphQLNamedType, replace: Replace, addition?: Addition): GraphQLNamedType {
  const all = <T extends GraphQLType>(types: readonly T[]): T[] => types.map((one) => replace(one));
  if (isObjectType(type)) {
    const config = type.toConfig();
    return new GraphQLObjectType({
      ...config,
      interfaces: () => all([...config.interfaces, ...(addition?.interfaces ?? [])]),
      fields: () => rebuildFields({ ...config.fields, ...addition?.fields }, replace),
    });
  }
  if (isInterfaceType(type)) {
    const config = type.toConfig();
    return new GraphQLInterfaceType({
      ...config,
      interfaces: () => all(config.interfaces),
      fields: () => rebuildFields(config.fields, replace),
    });
  }
  if (isUnionType(type)) {
    const config = type.toConfig();
    return new GraphQLUnionType({ ...config, types: () => all(config.types) });
  }
  if (!isInputObjectType(type)) return type;
  const config = type.toConfig();
  return new GraphQLInputObjectType({
    ...config,
    fields: () => mapEntries(config.fields, (field) => ({ ...field, type: replace(field.type) })),
  });
}

function rebuildFields(fields: Fields, replace: Replace): Fields {
  return mapEntries(fields, (field: GraphQLFieldConfig<unknown, unknown>) => ({
    ...field,
    type: replace(field.type),
    args: rebuildArguments(field.args ?? {}, replace),
  }));
}

export function rebuildDirective(directive: GraphQLDirective, replace: Replace): GraphQLDirective {
  const config = directive.toConfig();
  return new GraphQLDirective({ ...config, args: rebuildArguments(config.args, replace) });
}

function rebuildArguments(
  args: Readonly<Record<string, GraphQLArgumentConfig>>,
  replace: Replace,
): Record<string, GraphQLArgumentConfig> {
  return mapEntries(args, (argument) => ({ ...argument, type: replace(argument.type) }));
}

function mapEntries<T, U>(entries: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, map(value)]));
}
