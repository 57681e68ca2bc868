import type { ClientDescription, ClientResource } from "@bifocal/core";
import { decodeField } from "./decode.ts";
import { groupField } from "./group-field.ts";
import type { Row } from "./lens.ts";
import { mapValues } from "./map-values.ts";

/** Averages are numbers, whatever the field is. The other functions return values of the field. */
const OF_FIELD = /^(?:group|sum|min|max)$/;

/** Converts a group of a response to what `api.local` returns. */
export function decodeGroup(description: ClientDescription, resource: ClientResource, group: Row): Row {
  return mapValues({ group: {}, ...group }, (name, values) =>
    OF_FIELD.test(name)
      ? mapValues(values as Row, (field, value) => {
          const { owner, name: of } = groupField(description, resource, field);
          return decodeField(owner, of, value);
        })
      : values,
  );
}
