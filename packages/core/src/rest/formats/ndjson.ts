import { type Format, rowToJson } from "./format.ts";

/** A row a line (https://github.com/ndjson/ndjson-spec). */
export const ndjson: Format = {
  mediaType: "application/x-ndjson",
  stream: () => ({ head: "", row: (row) => `${JSON.stringify(rowToJson(row))}\n`, foot: "" }),
};
