import type { Filter, Json, NamedRelatedValue, RelatedValue, Sort } from "@bifocal/core/store";
import type { Dialect } from "../dialect/dialect.ts";
import { SQL_OPERATORS } from "./operators.ts";
import type { SharedValues } from "./shared-values.ts";

/**
 * A text that identifies the statement of an operation, and the values that differ between operations with the same
 * statement, in the order in which it takes them. Names of fields and relations come from the model, so the text
 * contains no client input.
 */
export class StatementShape {
  readonly values: Json[] = [];
  #text: string;
  readonly #dialect: Dialect;
  #shared: ReadonlyMap<RelatedValue, number> | undefined;
  /** The number of relations between the rows of the query and those of the part that is added. */
  #depth = 0;

  constructor(dialect: Dialect, start: string) {
    this.#dialect = dialect;
    this.#text = `${dialect.shape ?? ""}${start}`;
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

  /** A word that a search looks for. */
  word(word: string): this {
    return this.note(this.#dialect.wordShape?.(word) ?? "").value(word);
  }

  fields(fields: ReadonlySet<string> | undefined): this {
    return fields === undefined ? this : this.note(`(${[...fields].join()})`);
  }

  sort(sort: Sort): this {
    const joined = new Set<string>();
    for (const { path, descending, score, related, filter } of sort) {
      this.#text += `${descending ? "-" : "+"}${path.join(".")}`;
      // The statement joins the row of a relation once.
      if (filter !== undefined && !joined.has(path[0])) this.#within(1, () => this.note("(").filter(filter).note(")"));
      joined.add(path[0]);
      if (related !== undefined) this.#within(path.length - 1, () => this.related(related));
      for (const entry of score ?? []) {
        this.#text += ";";
        for (const { filter, points } of entry) this.note(`${points}`).filter(filter);
      }
    }
    return this;
  }

  /** Adds the values that rows contain in addition to their fields. */
  relatedValues(values: readonly NamedRelatedValue[] | undefined): this {
    for (const value of values ?? []) this.note(`~${value.name}`).related(value);
    return this;
  }

  related(value: RelatedValue): this {
    const position = this.#depth === 0 ? this.#shared?.get(value) : undefined;
    if (position !== undefined) return this.note(`~@${position}`);
    const { relation, kind, field, filter } = value;
    this.note(`~${relation.source}.${relation.name}.${kind}.${field ?? ""}(`);
    return this.#within(1, () => this.filter(filter)).note(")");
  }

  /** Adds the values that the statement computes once. The parts of the query that follow refer to them. */
  share(shared: SharedValues | undefined): this {
    this.#shared = undefined;
    for (const value of shared?.list ?? []) this.note("@").related(value);
    this.#shared = shared?.positions;
    return this;
  }

  #within(levels: number, add: () => void): this {
    this.#depth += levels;
    add();
    this.#depth -= levels;
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
        this.note(`{${filter.relation}:${filter.quantifier}:`);
        return this.#within(1, () => this.filter(filter.filter)).note("}");
      case "compare": {
        const { field, operator, value, related } = filter;
        this.note(`[${field}:${operator}`);
        if (related !== undefined) this.related(related);
        SQL_OPERATORS[operator].bind(this, value);
        return this.note("]");
      }
    }
  }
}
