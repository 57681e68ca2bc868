import type { Row } from "../lens.ts";

/** Compares two rows. Returns `undefined` if only the server knows their order. */
export type RowOrder = (a: Row, b: Row) => number | undefined;

/** Creates the order of a sort. The key is the last criterion, as on the server. */
export function createRowOrder(sort: readonly string[], key: readonly string[]): RowOrder {
  const terms = [...sort, ...key].map((term) =>
    term.startsWith("-") ? { name: term.slice(1), sign: -1 } : { name: term, sign: 1 },
  );
  return (a, b) => {
    for (const { name, sign } of terms) {
      const order = compareValues(a[name], b[name]);
      if (order !== 0) return order === undefined ? undefined : order * sign;
    }
    return 0;
  };
}

/** Places `null` after all values, as the server does. */
export function compareValues(a: unknown, b: unknown): number | undefined {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return undefined;
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (typeof a !== typeof b || typeof a === "object") return undefined;
  return (a as number) < (b as number) ? -1 : 1;
}

/** Decimals and moments are also texts, but aren't ordered as texts unless they have the same form. */
function compareTexts(a: string, b: string): number | undefined {
  const isNumeric = (text: string): boolean => /^[-\d]/.test(text);
  const hasFixedForm = (text: string): boolean => !/^-|[+-]\d\d:\d\d$/.test(text);
  if (isNumeric(a) && isNumeric(b) && !(a.length === b.length && hasFixedForm(a) && hasFixedForm(b))) return undefined;
  // The server orders by code point. JavaScript orders surrogates differently.
  if (/[\ud800-\uffff]/.test(a + b)) return undefined;
  return a < b ? -1 : 1;
}
