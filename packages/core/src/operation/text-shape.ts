import type { FieldModel } from "../model/model.ts";
import type { ListOperation } from "./operation.ts";
import type { Selection } from "./selection.ts";

/**
 * The text of a row, as the one who asks would write it: what stands there whatever the row is, and what the row and its
 * relations tell. A store that can make such text itself need not answer rows.
 */
export type TextShape = readonly TextPart[];

export type TextPart = string | FieldText | RelatedText;

export interface FieldText {
  readonly kind: "field";
  readonly name: string;
  /** In quotes, even where it is a number. */
  readonly isId: boolean;
}

/** `one`: the row, or `null`. `many`: the rows of a page with commas between them. */
export interface RelatedText {
  readonly kind: "one" | "many";
  /** Of the relation in the selection. */
  readonly as: string;
  readonly shape: TextShape;
}

const KINDS: ReadonlySet<string> = new Set(
  "string uuid email url enum date datetime time duration integer number boolean bigint".split(" "),
);

/** Whether the text of a value follows from its type alone: not of JSON, whose members may come in any order. */
export function hasPlainText({ type }: FieldModel): boolean {
  return KINDS.has(type.kind);
}

/** By a symbol, so that it is no part of what an operation says; not by a map of its own, whose entries live too long. */
const OFFERED = Symbol("texts");

interface Offered {
  [OFFERED]?: { readonly selection: Selection; readonly shape: TextShape };
}

/** Says that the rows of a list are wanted as text; whoever runs the operation may answer them so, or as rows. */
export function offerTexts(operation: ListOperation, shape: TextShape | undefined): void {
  if (shape !== undefined) (operation as Offered)[OFFERED] = { selection: operation.selection, shape };
}

export function offeredTexts(operation: ListOperation): TextShape | undefined {
  const offered = (operation as Offered)[OFFERED];
  // A copy that selects something else is another operation.
  return offered?.selection === operation.selection ? offered.shape : undefined;
}
