// The REST formats in addition to JSON, and the types for your own formats: `@bifocal/core/formats`.
export { csv } from "./rest/formats/csv.ts";
export {
  type Format,
  type ItemView,
  type ListView,
  type ProblemFormat,
  rowToJson,
  type RowView,
  type StreamWriter,
  type View,
} from "./rest/formats/format.ts";
export { DEFAULT_FORMATS } from "./rest/formats/formats.ts";
export { hal } from "./rest/formats/hal.ts";
export { createHtmlPages, htmlPages } from "./rest/formats/html/html.ts";
export type { PageOptions } from "./rest/formats/html/page-options.ts";
export { ndjson } from "./rest/formats/ndjson.ts";
export { xml } from "./rest/formats/xml.ts";
export { jsonApi } from "./rest/json-api/json-api.ts";
