import type { FieldModel } from "../model/model.ts";
import type { ListOperation } from "./operation.ts";
import type { Selection } from "./selection.ts";

/**
 * Describes the text of a row as its writer would produce it: constant parts, and the values of fields and relations. A
 * store that can produce such text returns it instead of rows.
 */
export type TextShape = readonly TextPart[];

export type TextPart = string | FieldText | RelatedText;

export interface FieldText {
  readonly kind: "field";
  readonly name: string;
  /** Written in quotes, even if it is a number. */
  readonly isId: boolean;
}

/** `one`: the row or `null`. `many`: the rows of a page, separated by commas. */
export interface RelatedText {
  readonly kind: "one" | "many";
  /** The name of the relation's result in the selection. */
  readonly as: string;
  readonly shape: TextShape;
}

const KINDS: ReadonlySet<string> = new Set(
  "string uuid email url enum date datetime time duration integer number boolean bigint".split(" "),
);

/**
 * Whether the text of a value follows from its type alone. For JSON it doesn't, because the order of members varies.
 */
export function hasPlainText({ type }: FieldModel): boolean {
  return KINDS.has(type.kind);
}

/** A symbol, so that it isn't part of the operation's data. A separate map would keep its entries alive too long. */
const OFFERED = Symbol("texts");

interface Offered {
  [OFFERED]?: { readonly selection: Selection; readonly shapeOf: ShapeOf };
}

/** Returns undefined if the text doesn't follow from the types of the fields. */
type ShapeOf = () => TextShape | undefined;

/** Offers to accept the rows of a list as text. The engine may return text or rows. */
export function offerTexts(operation: ListOperation, shapeOf: ShapeOf): void {
  (operation as Offered)[OFFERED] = { selection: operation.selection, shapeOf };
}

export function offeredTexts(operation: ListOperation): TextShape | undefined {
  const offered = (operation as Offered)[OFFERED];
  // A copy with another selection is a different operation.
  return offered?.selection === operation.selection ? offered.shapeOf() : undefined;
}
