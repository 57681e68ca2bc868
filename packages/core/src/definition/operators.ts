// The filter operators.

/** The properties of an operator that hold in every style and store. */
interface OperatorTraits {
  /**
   * The form of the operand. `one`: a value of the field, or of its items. `list`: any number of them. `pair`: two of
   * them. `text`: any text, even if it isn't a valid value of the field. `flag`: true or false.
   */
  readonly operand: "one" | "list" | "pair" | "text" | "flag";
  /** The kinds of field that have the operator. */
  readonly kinds: readonly string[];
  /** Whether `null`, as the operand or in a list, stands for a missing value. */
  readonly nullable: boolean;
  /** Whether a row without a value matches (docs/adr/0001-two-valued-filters.md). `operand`: the flag decides. */
  readonly matchesMissing: boolean | "operand";
  /**
   * The way in which a store can find the rows that match. `lookup`: by a key or an index. `range`: by an ordered index or
   * another cheap comparison. `scan`: only by reading every row. Limits and costs depend on it.
   */
  readonly access: "lookup" | "range" | "scan";
}

const TEXT = ["string", "email", "url"] as const;
const ORDERED = [...TEXT, "date", "datetime", "time", "integer", "number", "bigint", "decimal"] as const;
const EQUATED = [...ORDERED, "uuid", "enum", "boolean", "duration"] as const;
const LIST = ["list"] as const;
const ALL = [...EQUATED, ...LIST, "json", "object"] as const;

export const OPERATORS = {
  /** Equal to the value. `null` matches rows without a value. */
  eq: { operand: "one", kinds: EQUATED, nullable: true, matchesMissing: false, access: "lookup" },
  /** The opposite of `eq`: also matches rows without a value. */
  ne: { operand: "one", kinds: EQUATED, nullable: true, matchesMissing: true, access: "scan" },
  /** Equal to one of the values. */
  in: { operand: "list", kinds: EQUATED, nullable: true, matchesMissing: false, access: "lookup" },
  /** The opposite of `in`: also matches rows without a value. */
  notIn: { operand: "list", kinds: EQUATED, nullable: true, matchesMissing: true, access: "scan" },
  /** The list has the value. */
  has: { operand: "one", kinds: LIST, nullable: false, matchesMissing: false, access: "scan" },
  /** The list has one of the values. */
  hasSome: { operand: "list", kinds: LIST, nullable: false, matchesMissing: false, access: "scan" },
  /** The list has all of the values. */
  hasEvery: { operand: "list", kinds: LIST, nullable: false, matchesMissing: false, access: "scan" },
  /** Whether the row has no value. */
  isNull: { operand: "flag", kinds: ALL, nullable: false, matchesMissing: "operand", access: "range" },
  /** Less than the value. */
  lt: { operand: "one", kinds: ORDERED, nullable: false, matchesMissing: false, access: "range" },
  /** Less than the value, or equal to it. */
  lte: { operand: "one", kinds: ORDERED, nullable: false, matchesMissing: false, access: "range" },
  /** Greater than the value. */
  gt: { operand: "one", kinds: ORDERED, nullable: false, matchesMissing: false, access: "range" },
  /** Greater than the value, or equal to it. */
  gte: { operand: "one", kinds: ORDERED, nullable: false, matchesMissing: false, access: "range" },
  /** From the first value to the second, both included. */
  between: { operand: "pair", kinds: ORDERED, nullable: false, matchesMissing: false, access: "range" },
  /** Contains the text. */
  contains: { operand: "text", kinds: TEXT, nullable: false, matchesMissing: false, access: "scan" },
  /** The opposite of `contains`: also matches rows without a value. */
  notContains: { operand: "text", kinds: TEXT, nullable: false, matchesMissing: true, access: "scan" },
  /** Starts with the text. */
  startsWith: { operand: "text", kinds: TEXT, nullable: false, matchesMissing: false, access: "range" },
  /** Ends with the text. */
  endsWith: { operand: "text", kinds: TEXT, nullable: false, matchesMissing: false, access: "scan" },
  /** Contains the text, ignoring case. */
  icontains: { operand: "text", kinds: TEXT, nullable: false, matchesMissing: false, access: "scan" },
  /** Starts with the text, ignoring case. */
  istartsWith: { operand: "text", kinds: TEXT, nullable: false, matchesMissing: false, access: "scan" },
  /** Ends with the text, ignoring case. */
  iendsWith: { operand: "text", kinds: TEXT, nullable: false, matchesMissing: false, access: "scan" },
  /** Contains a word, ignoring case and accents. Only searches use it and the next one. The operand is folded. */
  hasWord: { operand: "text", kinds: [], nullable: false, matchesMissing: false, access: "scan" },
  /** Contains a word that starts with the text, ignoring case and accents. */
  hasWordStart: { operand: "text", kinds: [], nullable: false, matchesMissing: false, access: "scan" },
} as const satisfies Readonly<Record<string, OperatorTraits>>;

export type OperatorTable = typeof OPERATORS;
export type Operator = keyof OperatorTable;

export type OperandKind = OperatorTable[Operator]["operand"];
/** The kinds of field that filters know. */
export type FilterKind = OperatorTable[Operator]["kinds"][number];

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[];
export const QUANTIFIERS = ["some", "every", "none"] as const;
export const CONNECTIVES = ["and", "or", "not"] as const;

/** Names that mean something in a filter, so that no field and no relation can have them. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...OPERATOR_NAMES.filter((name) => OPERATORS[name].kinds.length > 0),
  ...QUANTIFIERS,
  ...CONNECTIVES,
]);
