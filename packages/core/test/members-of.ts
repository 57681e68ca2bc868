import type { RowWriter, ReadableRow } from "../src/operations.ts";

const MEMBERS: RowWriter<Record<string, unknown>> = {
  create: () => ({}),
  field: (members, name, value) => {
    members[name] = value;
  },
  one: (members, { as }, related) => {
    members[as] = related;
  },
  many: (members, { as }, page) => {
    members[as] = page.write(MEMBERS);
  },
  denied: (members, name) => {
    members[name] = undefined;
  },
};

/** The selected members of a row. Denied ones are undefined. */
export function membersOf(row: ReadableRow): Readonly<Record<string, unknown>> {
  return row.write(MEMBERS);
}
