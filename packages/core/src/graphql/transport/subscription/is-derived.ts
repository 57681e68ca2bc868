import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { readerOf } from "../../reader.ts";

/**
 * Returns whether every field of a document only reads data that its source already holds. A host's resolver may depend
 * on the caller, so its result cannot be shared.
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
