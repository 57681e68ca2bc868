import { type Format, rowToJson } from "./format.ts";

/** NDJSON: one row per line (https://github.com/ndjson/ndjson-spec). */
export const ndjson: Format = {
  mediaType: "application/x-ndjson",
  stream: () => ({ head: "", row: (row) => `${JSON.stringify(rowToJson(row))}\n`, foot: "" }),
};
