import { foldCase, type Json, type Operator } from "@bifocal/core/store";
import { sql } from "kysely";
import type { ListOperator, Sql, TextOperator } from "../dialect/dialect.ts";
import { endOfPrefix } from "../dialect/like.ts";
import type { Column } from "../table/column.ts";
import type { Build, IndexedWords } from "./scope.ts";
import type { StatementShape } from "./statement-shape.ts";

/** One condition of a filter: a column and its operand. */
interface Comparison {
  readonly build: Build;
  readonly column: Column;
  readonly value: Sql;
  readonly operand: Json;
  /** The index of the words of the value, if there is one. */
  readonly words?: IndexedWords | undefined;
}

type BuildCondition = (comparison: Comparison) => Sql;

interface SqlOperator {
  /** Adds the operand to a shape: its value, and all properties that change the text of the statement. */
  readonly bind: (shape: StatementShape, operand: Json) => void;
  /**
   * Returns a condition that is true for matching rows. For other rows it may be false or NULL. It takes a slot for
   * each value that `bind` adds.
   */
  readonly condition: BuildCondition;
}

/** The meaning of each operator in SQL. */
export const SQL_OPERATORS: Readonly<Record<Operator, SqlOperator>> = {
  eq: one(equalTo),
  ne: one(opposite(equalTo)),
  in: list(isIn),
  notIn: list(opposite(isIn)),
  has: one(listMatch("has")),
  hasSome: one(listMatch("hasSome")),
  hasEvery: one(listMatch("hasEvery")),
  isNull: {
    bind: (shape, operand) => shape.note(operand === true ? "1" : "0"),
    condition: ({ value, operand }) => (operand === true ? sql`${value} is null` : sql`${value} is not null`),
  },
  lt: one(ordered("<")),
  lte: one(ordered("<=")),
  gt: one(ordered(">")),
  gte: one(ordered(">=")),
  between: one(between),
  contains: one(textMatch("contains")),
  notContains: one(opposite(textMatch("contains"))),
  startsWith: {
    bind: (shape, operand) => shape.note(rangeOf(operand as string)).value(operand),
    condition: startsWith,
  },
  endsWith: one(textMatch("endsWith")),
  icontains: folded(textMatch("icontains")),
  istartsWith: folded(textMatch("istartsWith")),
  iendsWith: folded(textMatch("iendsWith")),
  hasWord: word(wordMatch(false)),
  hasWordStart: word(wordMatch(true)),
};

function one(condition: BuildCondition): SqlOperator {
  return { bind: (shape, operand) => shape.value(operand), condition };
}

function word(condition: BuildCondition): SqlOperator {
  return { bind: (shape, operand) => shape.word(operand as string), condition };
}

function list(condition: BuildCondition): SqlOperator {
  return { bind: (shape, operand) => shape.list(operand as readonly Json[]), condition };
}

/** The folding of a text depends on its characters, so it is part of the shape. */
function folded(condition: BuildCondition): SqlOperator {
  return { bind: (shape, operand) => shape.fold(foldCase(operand as string)).value(operand), condition };
}

function opposite(condition: BuildCondition): BuildCondition {
  return (comparison) => {
    const matches = condition(comparison);
    return comparison.column.field.type.nullable ? sql`(${matches}) is not true` : sql`not (${matches})`;
  };
}

function equalTo({ build: { dialect, slots }, column, value }: Comparison): Sql {
  return sql`${dialect.equated(column, value)} = ${dialect.operand(column, slots.next())}`;
}

function isIn({ build: { dialect, slots }, column, value, operand }: Comparison): Sql {
  const { length } = operand as readonly Json[];
  return dialect.isIn(column, value, { index: slots.next(), slots: dialect.slotsOf(length) });
}

function listMatch(operator: ListOperator): BuildCondition {
  return ({ build: { dialect, slots }, column, value }) =>
    dialect.listMatch(column, value, operator, { index: slots.next(), slots: 1 });
}

function ordered(sign: "<" | "<=" | ">" | ">="): BuildCondition {
  return ({ build: { dialect, slots }, column, value }) =>
    sql`${dialect.ordered(column, value)} ${sql.raw(sign)} ${dialect.operand(column, slots.next())}`;
}

function between({ build: { dialect, slots }, column, value }: Comparison): Sql {
  const index = slots.next();
  const [from, to] = [0, 1].map((at) => dialect.operand(column, index, (pair) => (pair as Json[])[at] as Json));
  const text = dialect.ordered(column, value);
  return sql`(${text} >= ${from} and ${text} <= ${to})`;
}

function textMatch(operator: TextOperator): BuildCondition {
  return ({ build: { dialect, slots }, column, value, operand }) =>
    dialect.textMatch[operator](column, value, slots.next(), operand as string);
}

function wordMatch(isStart: boolean): BuildCondition {
  return ({ build: { dialect, slots }, column, value, operand, words }) => {
    const index = slots.next();
    if (dialect.wordMatch === undefined) throw new Error("This connection doesn't support searches.");
    return dialect.wordMatch({ column, value, words, word: operand as string, isStart }, index);
  };
}

/** A range of text, which an index can find. */
function startsWith({ build: { dialect, slots }, column, value, operand }: Comparison): Sql {
  const prefix = operand as string;
  const index = slots.next();
  // The digits of numbers are no range, and have no case.
  if (column.isDecimal) return dialect.textMatch.istartsWith(column, value, index, prefix);
  if (prefix === "") return sql`${value} is not null`;
  const text = dialect.ordered(column, value);
  const start = dialect.operand(column, index);
  if (endOfPrefix(prefix) === undefined) return sql`${text} >= ${start}`;
  const end = dialect.operand(column, index, (given) => endOfPrefix(given as string) as string);
  return sql`(${text} >= ${start} and ${text} < ${end})`;
}

/** Which of the conditions of `startsWith` a prefix has. */
function rangeOf(prefix: string): string {
  if (prefix === "") return "0";
  return endOfPrefix(prefix) === undefined ? "1" : "";
}
