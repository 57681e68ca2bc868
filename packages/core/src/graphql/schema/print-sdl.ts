import {
  type FieldDefinitionNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
} from "graphql";
import { directiveOf } from "./semantic-non-null.ts";

/**
 * Prints a schema sorted by name, so that two builds differ only if the schemas differ. graphql-js prints no directives
 * but its own, so `@semanticNonNull` is added after the type of each marked field.
 */
export function printSdl(schema: GraphQLSchema): string {
  const text = `${printSchema(lexicographicSortSchema(schema))}\n`;
  let printed = "";
  let from = 0;
  for (const { typeName, field } of fieldsOf(text)) {
    const type = schema.getType(typeName);
    const found = isObjectType(type) || isInterfaceType(type) ? type.getFields()[field.name.value] : undefined;
    const directive = found && directiveOf(found);
    const { loc } = field.type;
    if (directive === undefined || loc === undefined) continue;
    printed += `${text.slice(from, loc.end)} ${print(directive)}`;
    from = loc.end;
  }
  return printed + text.slice(from);
}

function* fieldsOf(sdl: string): Generator<{ readonly typeName: string; readonly field: FieldDefinitionNode }> {
  for (const one of parse(sdl).definitions) {
    if (one.kind !== Kind.OBJECT_TYPE_DEFINITION && one.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    for (const field of one.fields ?? []) yield { typeName: one.name.value, field };
  }
}
