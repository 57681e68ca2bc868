import { type DocumentNode, Kind, print, visit } from "graphql";

const KNOWN = new WeakMap<DocumentNode, string>();

/** Returns the text of a document without its literal values: numbers become 0; strings, lists and input objects become empty. */
export function sanitizeDocument(document: DocumentNode): string {
  const known = KNOWN.get(document);
  if (known !== undefined) return known;
  const text = print(visit(document, WITHOUT_VALUES));
  KNOWN.set(document, text);
  return text;
}

const WITHOUT_VALUES = {
  IntValue: () => ({ kind: Kind.INT, value: "0" }),
  FloatValue: () => ({ kind: Kind.FLOAT, value: "0" }),
  StringValue: () => ({ kind: Kind.STRING, value: "" }),
  ListValue: () => ({ kind: Kind.LIST, values: [] }),
  ObjectValue: () => ({ kind: Kind.OBJECT, fields: [] }),
};
