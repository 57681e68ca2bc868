import { type DocumentNode, Kind, print, visit } from "graphql";

const KNOWN = new WeakMap<DocumentNode, string>();

/** The text of a document without what its author wrote as values: numbers are 0, strings are empty, and so are lists and input objects. */
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
