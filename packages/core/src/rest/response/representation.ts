import type { RowWriter } from "../../operation/visible-rows.ts";

/** A row in REST's form: relations under their own names, pages as lists. Denied members are absent. */
export type Representation = Readonly<Record<string, unknown>>;

export const REPRESENTATION: RowWriter<Record<string, unknown>> = {
  reuse: (row) => row,
  create: () => ({}),
  field: (result, name, value) => {
    result[name] = value;
  },
  one: (result, { relation }, related) => {
    result[relation] = related;
  },
  many: (result, { relation, selection }, page) => {
    result[relation] = page.write(REPRESENTATION, selection);
  },
};
