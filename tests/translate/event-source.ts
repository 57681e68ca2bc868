import type { TranslationSource } from "@bifocal/core";
import fc from "fast-check";
import { idOf } from "../equivalence/library.ts";

const parts = fc.record({
  id: fc.option(
    fc.nat(20).map((n) => idOf(2, n)),
    { nil: undefined },
  ),
  price: fc.option(fc.constantFrom(0, 2.5, 20), { nil: undefined }),
  fields: fc.subarray(["id", "title", "price"], { minLength: 1 }),
  isInitial: fc.boolean(),
  kind: fc.constantFrom("Updated", "Deleted", "Changed"),
  isRest: fc.boolean(),
});

/** A subscription to books, in one of the styles. */
export const eventSource: fc.Arbitrary<TranslationSource> = parts.map(
  ({ id, price, fields, isInitial, kind, isRest }) => {
    if (isRest) {
      // A stream of one row has no filter in REST.
      const filter = price === undefined || id !== undefined ? [] : [`filter[price][lt]=${price}`];
      const query = [...filter, `fields=${fields.join(",")}`, ...(isInitial ? ["initial=true"] : [])].join("&");
      const path = id === undefined ? "/books" : `/books/${id}`;
      return { url: `${path}?${query}`, headers: { Accept: "text/event-stream" } };
    }
    const args = [
      ...(id === undefined ? [] : [`id: "${id}"`]),
      ...(price === undefined ? [] : [`filter: { price: { lt: ${price} } }`]),
      ...(isInitial && kind !== "Deleted" ? ["initial: true"] : []),
    ];
    const given = args.length === 0 ? "" : `(${args.join(", ")})`;
    return { document: `subscription { book${kind}${given} { ${fields.join(" ")} } }` };
  },
);
