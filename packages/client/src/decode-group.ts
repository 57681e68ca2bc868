import type { ClientDescription, ClientResource } from "@bifocal/core";
import { decodeField } from "./decode.ts";
import { groupField } from "./group-field.ts";
import { keyName } from "./groups.ts";
import type { ListQuery, Row } from "./lens.ts";
import { mapValues } from "./map-values.ts";

/**
 * Converts a group of a response to what `api.local` returns. In GraphQL, the terms have other names. Averages are
 * numbers, whatever the field is; the other functions return values of the field.
 */
export function decodeGroup(
  description: ClientDescription,
  resource: ClientResource,
  { group: terms = [] }: ListQuery,
  node: Row,
): Row {
  const { group: keys, __typename: _, ...measures } = node;
  const decode = (field: string, value: unknown): unknown => {
    const { owner, name } = groupField(description, resource, field);
    return decodeField(owner, name, value);
  };
  const valueOf = (term: string): unknown => {
    const { [keyName(term)]: value, [term]: own = value } = keys as Row;
    return decode(term, own);
  };
  return {
    group: Object.fromEntries(terms.map((term) => [term, valueOf(term)])),
    ...mapValues(measures, (name, values) =>
      /^(?:sum|min|max)$/.test(name) ? mapValues(values as Row, decode) : values,
    ),
  };
}
