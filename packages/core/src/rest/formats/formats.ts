import { csv } from "./csv.ts";
import type { Format } from "./format.ts";
import { hal } from "./hal.ts";
import { htmlPages } from "./html/html.ts";
import { jsonApi } from "../json-api/json-api.ts";
import { ndjson } from "./ndjson.ts";
import { xml } from "./xml.ts";

/** The formats of an API in addition to JSON, unless `formats` is set. */
export const DEFAULT_FORMATS: readonly Format[] = Object.freeze([ndjson, csv, xml, hal, jsonApi, htmlPages]);
