import type { FieldModel } from "../../../model/model.ts";
import type { Json, JsonObject } from "../../../util/json.ts";
import { html, type Markup } from "./markup.ts";
import { toWords } from "./words.ts";

/** Averages and sums of floating-point numbers can end in meaningless digits. */
const LONG_FRACTION = /\.\d{11}/;
/** Larger numbers are not grouped, because their digits are not exact. */
const MAX_GROUPED = 1e15;
let formats: ReturnType<typeof createFormats> | undefined;

/** Formats a value that is not null. Its form in JSON is in the `title` if it differs. */
export function formatValue(value: Exclude<Json, null>, { type }: Pick<FieldModel, "type">): Markup {
  if (Array.isArray(value)) return formatList(value as readonly Json[]);
  if (typeof value === "object") return type.kind === "json" ? code(value) : formatObject(value as JsonObject);
  switch (type.kind) {
    case "boolean":
      return value === true
        ? html`<span aria-hidden="true">✓</span><span class="unseen">yes</span>`
        : html`<span aria-hidden="true">–</span><span class="unseen">no</span>`;
    case "enum":
      return html`<span class="tag">${value}</span>`;
    case "date":
      return formatTime(String(value), loadFormats().date, "");
    case "datetime":
      return formatTime(String(value), loadFormats().datetime, " UTC");
    case "number":
    case "integer":
    case "bigint":
    case "decimal":
      return formatNumber(value);
    case "url":
      return formatUrl(String(value));
    case "email":
      return html`<a href="mailto:${value}">${breakable(String(value))}</a>`;
    default:
      return isOwnImage(String(value)) ? formatImage(String(value)) : html`<bdi>${value}</bdi>`;
  }
}

/** Node reads the data of a locale with its first format, which would delay the start by some milliseconds. */
function loadFormats(): ReturnType<typeof createFormats> {
  return (formats ??= createFormats());
}

function createFormats() {
  return {
    date: new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }),
    datetime: new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }),
    rounded: new Intl.NumberFormat("en", {
      maximumFractionDigits: 4,
      maximumSignificantDigits: 6,
      roundingPriority: "morePrecision",
      useGrouping: "min2",
    }),
    number: new Intl.NumberFormat("en", { maximumFractionDigits: 20, useGrouping: "min2" }),
  };
}

/** Shortens an id in its middle, because ids often have the same beginning. */
export function shortenId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 4)}…${id.slice(-8)}` : id;
}

function formatTime(text: string, format: Intl.DateTimeFormat, zone: string): Markup {
  const time = new Date(text);
  // A time without an offset is in an unknown zone.
  const isKnown = zone === "" || /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  if (!isKnown || Number.isNaN(time.getTime())) return html`<bdi>${text}</bdi>`;
  return html`<time datetime="${text}" title="${text}">${format.format(time)}${zone}</time>`;
}

export function formatNumber(value: string | number | boolean): Markup {
  if (typeof value !== "number" || !LONG_FRACTION.test(String(value)))
    return html`<span class="number">${groupDigits(value)}</span>`;
  return html`<span class="number" title="${value}">${loadFormats().rounded.format(value)}</span>`;
}

function groupDigits(value: string | number | boolean): string {
  if (typeof value === "number")
    return Math.abs(value) < MAX_GROUPED ? loadFormats().number.format(value) : String(value);
  const [whole = "", fraction] = String(value).split(".");
  const grouped = whole.replace(/^-?/, "").length < 5 ? whole : whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function formatList(items: readonly Json[]): Markup {
  if (items.length === 0) return html`<span class="empty">none</span>`;
  return html`<ul class="tags">${items.map((item) => html`<li>${typeof item === "object" ? formatPart(item) : String(item)}</li>`)}</ul>`;
}

function formatPart(value: Json): Markup {
  if (Array.isArray(value) || value === null) return code(value);
  return typeof value === "object" ? formatObject(value as JsonObject) : html`<bdi>${value}</bdi>`;
}

function formatObject(value: JsonObject): Markup {
  const members = Object.entries(value);
  const place = members.length === 2 ? coordinatesOf(value) : undefined;
  if (place !== undefined) return html`<span title="${JSON.stringify(value)}">${place}</span>`;
  return html`<dl class="pairs">${members.map(([name, member]) => html`<div><dt>${toWords(name)}</dt><dd>${formatPart(member)}</dd></div>`)}</dl>`;
}

/** `46.948° N, 7.4474° E`, if an object has a latitude and a longitude. */
function coordinatesOf({ lat, latitude = lat, lng, lon = lng, longitude = lon }: JsonObject): string | undefined {
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  return `${Math.abs(latitude)}° ${latitude < 0 ? "S" : "N"}, ${Math.abs(longitude)}° ${longitude < 0 ? "W" : "E"}`;
}

function code(value: Json): Markup {
  return html`<code>${JSON.stringify(value)}</code>`;
}

const IMAGE = /\.(png|jpe?g|gif|webp|avif|svg)$/i;
const IMAGE_DATA = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i;

/** Whether a text is the path of an image on this host. */
function isOwnImage(text: string): boolean {
  return /^\/[^/]/.test(text) && IMAGE.test(text.replace(/[?#].*/s, ""));
}

function formatImage(url: string): Markup {
  const name = url.startsWith("data:")
    ? "Image"
    : (url
        .replace(/[?#].*/s, "")
        .split("/")
        .at(-1) ?? "");
  return html`<img class="picture" src="${url}" alt="${name}" loading="lazy">`;
}

/**
 * Only HTTP URLs become links, because other URLs can run scripts. The script shows those of images as images, if the
 * policy of the page allows their host.
 */
function formatUrl(url: string): Markup {
  if (IMAGE_DATA.test(url)) return formatImage(url);
  if (!/^https?:\/\//i.test(url)) return html`${url}`;
  const isImage = IMAGE.test(url.replace(/[?#].*/s, ""));
  return html`<a href="${url}" rel="noopener noreferrer"${isImage ? html` data-image` : ""}>${breakable(url)}</a>`;
}

/** Lets lines break after an at sign or slashes. */
function breakable(text: string): Markup {
  return html`${text.split(/(?<=@|\/(?!\/))/).map((part, at) => (at === 0 ? part : html`<wbr>${part}`))}`;
}
