import type { ClientDescription, ClientResource } from "@bifocal/core";
import type { decodeField } from "./decode.ts";
import { groupField, keyName } from "./group-field.ts";
import type { ListQuery, Row } from "./lens.ts";

/**
 * Converts a group of a response to what `api.local` returns. In GraphQL, the terms have other names. Averages are
 * numbers, whatever the field is; the other functions return values of the field.
 */
export function decodeGroup(
  description: ClientDescription,
  resource: ClientResource,
  { group: terms = [] }: ListQuery,
  node: Row,
  decodeValue: typeof decodeField,
): Row {
  const { group: keys, __typename: _, ...measures } = node;
  const decode = (field: string, value: unknown): unknown => {
    const { owner, name } = groupField(description, resource, field);
    return decodeValue(owner, name, value);
  };
  const valueOf = (term: string): unknown => {
    const { [keyName(term)]: value, [term]: own = value } = keys as Row;
    return decode(term, own);
  };
  const decodeValues = (values: Row): Row =>
    Object.fromEntries(Object.entries(values).map(([field, value]) => [field, decode(field, value)]));
  const decoded = Object.entries(measures).map(([name, values]) => [
    name,
    /^(?:sum|min|max)$/.test(name) ? decodeValues(values as Row) : values,
  ]);
  return { group: Object.fromEntries(terms.map((term) => [term, valueOf(term)])), ...Object.fromEntries(decoded) };
}
