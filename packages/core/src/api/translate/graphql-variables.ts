import { getNamedType, type GraphQLField, isEnumType } from "graphql";
import { capitalize } from "../../graphql/schema/names.ts";
import { notExpressible } from "./not-expressible-error.ts";

type Field = GraphQLField<unknown, unknown>;

/** Collects the variables of a document. */
export interface DocumentVariables {
  /** Returns `(filter: $booksFilter)` for the values that are set, or an empty text. `prefix` makes names unique. */
  readonly write: (field: Field, values: Readonly<Record<string, unknown>>, prefix?: string) => string;
  /** Returns `($filter: BookFilter)`, or an empty text. */
  readonly declarations: () => string;
  readonly values: Readonly<Record<string, unknown>>;
}

export function createVariables(): DocumentVariables {
  const declared: string[] = [];
  const values: Record<string, unknown> = {};
  return {
    values,
    write(field, given, prefix = "") {
      const written = Object.entries(given).flatMap(([name, value]) => {
        if (value === undefined) return [];
        const argument = field.args.find((one) => one.name === name);
        if (argument === undefined) return notExpressible(`In GraphQL, '${field.name}' has no argument '${name}'.`);
        const wanted = prefix === "" ? name : prefix + capitalize(name);
        let variable = wanted;
        for (let at = 2; Object.hasOwn(values, variable); at++) variable = `${wanted}${at}`;
        declared.push(`$${variable}: ${String(argument.type)}`);
        values[variable] = value;
        return [`${name}: $${variable}`];
      });
      return written.length === 0 ? "" : `(${written.join(", ")})`;
    },
    declarations: () => (declared.length === 0 ? "" : `(${declared.join(", ")})`),
  };
}

/** Returns the names of enum values: the `sort` term `-price` is `PRICE_DESC`. Undefined if there are none. */
export function enumNames(field: Field, argument: string, terms: readonly string[]): readonly string[] | undefined {
  if (terms.length === 0) return undefined;
  const type = field.args.find(({ name }) => name === argument)?.type;
  const named = type && getNamedType(type);
  if (!isEnumType(named)) return notExpressible(`In GraphQL, '${field.name}' has no argument '${argument}'.`);
  return terms.map(
    (term) =>
      named.getValues().find(({ value }) => value === term)?.name ??
      notExpressible(`In GraphQL, '${argument}' of '${field.name}' has no value for '${term}'.`),
  );
}
