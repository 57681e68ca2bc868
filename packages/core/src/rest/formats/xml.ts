import type { Json } from "../../util/json.ts";
import { type Format, type Problem, type RowView, rowToJson } from "./format.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NIL = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/**
 * XML 1.0: an element for each member, `<item>` for each value of a list, `xsi:nil` for null. A page is an element
 * named by the plural, with an element for each row.
 */
export const xml: Format = {
  mediaType: "application/xml",
  contentType: "application/xml; charset=utf-8",
  item: ({ row }) => `${HEAD}${writeRow(row, ` ${NIL}`)}\n`,
  list: ({ resource, rows, total, totalIsExact }) => {
    const count = total === undefined ? "" : ` total="${total}" totalIsExact="${totalIsExact === true}"`;
    const inner = rows.map((row) => writeRow(row)).join("");
    return `${HEAD}<${resource.plural} ${NIL}${count}>${inner}</${resource.plural}>\n`;
  },
  problem: {
    contentType: "application/problem+xml; charset=utf-8",
    write: writeProblem,
  },
};

function writeRow(row: RowView, attributes = ""): string {
  const { name } = row.resource;
  return `<${name}${attributes}>${writeMembers(rowToJson(row))}</${name}>`;
}

/** RFC 9457 appendix B. */
function writeProblem({ type, title, status, detail, instance, code, errors, requestId }: Problem): string {
  const members = { type, title, status, detail, instance, code, requestId };
  const given = Object.entries(members).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  const issues = errors?.map(({ path, message, code: issue }) =>
    writeElement("i", { path: path.map(String), message, code: issue }),
  );
  const inner = given.map(([name, value]) => writeElement(name, value)).join("");
  const list = issues === undefined ? "" : `<errors>${issues.join("")}</errors>`;
  return `${HEAD}<problem xmlns="urn:ietf:rfc:7807">${inner}${list}</problem>\n`;
}

function writeMembers(members: Readonly<Record<string, Json>>): string {
  return Object.entries(members)
    .map(([name, value]) => writeElement(name, value))
    .join("");
}

function writeElement(name: string, value: Json): string {
  const [start, end] = isXmlName(name)
    ? [name, name]
    : [`member name="${escapeText(name).replaceAll('"', "&quot;")}"`, "member"];
  if (value === null) return `<${start} xsi:nil="true"/>`;
  if (Array.isArray(value)) {
    return `<${start}>${(value as readonly Json[]).map((one) => writeElement("item", one)).join("")}</${end}>`;
  }
  if (typeof value === "object") return `<${start}>${writeMembers(value as Record<string, Json>)}</${end}>`;
  return `<${start}>${escapeText(String(value))}</${end}>`;
}

/** Keys of JSON values can be any text, but XML names can't. */
function isXmlName(name: string): boolean {
  return /^(?!xml)[A-Za-z_][\w.-]*$/i.test(name);
}

/** Replaces characters that XML 1.0 doesn't allow (§2.2) by U+FFFD. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}
