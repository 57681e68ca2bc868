import type { Filter, Json, Sort } from "@bifocal/core/store";
import type { Dialect } from "../dialect/dialect.ts";
import { SQL_OPERATORS } from "./operators.ts";

/**
 * A text that identifies the statement of an operation, and the values that differ between operations with the same
 * statement, in the order in which it takes them. Names of fields and relations come from the model, so the text
 * contains no client input.
 */
export class StatementShape {
  readonly values: Json[] = [];
  #text: string;
  readonly #dialect: Dialect;

  constructor(dialect: Dialect, start: string) {
    this.#dialect = dialect;
    this.#text = start;
  }

  get text(): string {
    return this.#text;
  }

  note(text: string): this {
    this.#text += text;
    return this;
  }

  value(value: Json): this {
    this.values.push(value);
    return this;
  }

  list(values: readonly Json[]): this {
    this.#text += `#${this.#dialect.slotsOf(values.length)}`;
    return this.value(values);
  }

  /** A folded text that a case-insensitive condition looks for. */
  fold(folded: string): this {
    return this.note(this.#dialect.foldShape(folded));
  }

  fields(fields: ReadonlySet<string> | undefined): this {
    return fields === undefined ? this : this.note(`(${[...fields].join()})`);
  }

  sort(sort: Sort): this {
    for (const { path, descending } of sort) this.#text += `${descending ? "-" : "+"}${path.join(".")}`;
    return this;
  }

  skip(offset: number | undefined): this {
    return offset === undefined || offset === 0 ? this : this.note(" offset").value(offset);
  }

  /** Adds a position in a list. Which of its values are missing is part of the shape. */
  place(name: string, place: readonly Json[] | undefined): this {
    if (place === undefined) return this;
    this.#text += name;
    for (const value of place) {
      this.#text += value === null ? "0" : "1";
      this.values.push(value);
    }
    return this;
  }

  filter(filter: Filter | undefined): this {
    if (filter === undefined) return this;
    switch (filter.kind) {
      case "constant":
        return this.note(filter.value ? "T" : "F");
      case "not":
        return this.note("!").filter(filter.filter);
      case "and":
      case "or": {
        this.note(filter.kind === "and" ? "&(" : "|(");
        for (const inner of filter.filters) this.filter(inner);
        return this.note(")");
      }
      case "related":
        return this.note(`{${filter.relation}:${filter.quantifier}:`).filter(filter.filter).note("}");
      case "compare": {
        const { field, operator, value } = filter;
        this.note(`[${field}:${operator}`);
        SQL_OPERATORS[operator].bind(this, value);
        return this.note("]");
      }
    }
  }
}
