/** The functions that an aggregate can apply to the values of a field. */
export const AGGREGATE_FUNCTIONS = ["sum", "avg", "min", "max"] as const;
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number];

/** The parts by which rows can be grouped by a date or a datetime: `createdAt.month`. */
export const DATE_PARTS = ["year", "month", "day"] as const;
export type DatePart = (typeof DATE_PARTS)[number];
