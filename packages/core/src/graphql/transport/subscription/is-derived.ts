import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { readerOf } from "../../reader.ts";

/**
 * Whether every field of a document reads what its source holds already. A resolver of the host's may look at who asks,
 * so what it answers is for that one alone.
 */
export function isDerived(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let derived = true;
  const look = {
    Field: ({ name }: { readonly name: { readonly value: string } }) => {
      if (name.value !== "__typename" && readerOf(types.getFieldDef()?.resolve) === undefined) derived = false;
    },
  };
  visit(document, visitWithTypeInfo(types, look));
  return derived;
}
