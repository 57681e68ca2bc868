import fc from "fast-check";
import { tree } from "../rule-tree.ts";
import type { Row, Rules, State } from "./world.ts";

const small = fc.integer({ min: 0, max: 2 });
export const rules: fc.Arbitrary<Rules> = fc.record({ read: tree, price: tree, write: tree, note: tree });
export const state: fc.Arbitrary<State> = fc
  .record({
    rows: fc.array(
      fc.record({
        color: small,
        size: small,
        boxId: fc.option(fc.nat(5)),
        price: small,
        secret: small,
        hasCode: fc.boolean(),
      }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    notes: fc.array(fc.nat(5), { maxLength: 4 }),
  })
  .map(({ rows, notes }) => ({
    rows: rows.map(
      ({ hasCode, boxId, ...row }, id): Row => ({
        id,
        ...row,
        boxId: boxId !== null && boxId < rows.length ? boxId : null,
        code: hasCode ? id : null,
      }),
    ),
    notes: notes.map((rowId, id) => ({ id, rowId: rowId % rows.length, text: id % 2 === 0 ? "n" : "m" })),
  }));
