import { offeredRelations } from "../../model/offered.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { writeTotal } from "../response/relation-total.ts";
import { writeGroups } from "../response/write-groups.ts";
import { type Format, isRows, type RowView, rowUrl, type View } from "./format.ts";

/**
 * HAL (draft-kelly-json-hal), with `_links` to the row itself and to its relations, and `_embedded` for included rows.
 */
export const hal: Format = {
  mediaType: "application/hal+json",
  reserved: ["_links", "_embedded"],
  item: (view) => JSON.stringify(writeRow(view, view.row)),
  list: (view) => {
    const { first, prev, next } = view.links;
    const links = { self: view.url, first, prev, next };
    return JSON.stringify({
      _links: Object.fromEntries(
        Object.entries(links).flatMap(([rel, href]) => (href === undefined ? [] : [[rel, { href }]])),
      ),
      ...(view.total === undefined ? {} : { total: view.total, totalIsExact: view.totalIsExact === true }),
      _embedded: { [view.resource.plural]: view.rows.map((row) => writeRow(view, row)) },
    });
  },
};

function writeRow(view: View, row: RowView): JsonObject {
  const { resource } = row;
  const self = rowUrl(view, row);
  const links: Record<string, Json> = resource.operations.rest.get ? { self: { href: self } } : {};
  for (const { name } of offeredRelations(view.model, resource)) {
    // `self` must be the row itself (RFC 4287 §4.2.7.2).
    if (name !== "self") links[name] = { href: `${self}/${kebabCase(name)}` };
  }
  const embedded: Record<string, Json> = {};
  for (const [name, related] of Object.entries(row.relations)) {
    if (related !== null)
      embedded[name] = isRows(related) ? related.map((one) => writeRow(view, one)) : writeRow(view, related);
  }
  const hasEmbedded = Object.keys(embedded).length > 0;
  const counts: Record<string, Json> = {};
  for (const [name, total] of Object.entries(row.totals)) writeTotal(counts, name, total);
  const groups: Record<string, Json> = {};
  for (const [name, own] of Object.entries(row.groups)) writeGroups(groups, name, own);
  return { ...row.fields, ...counts, ...groups, _links: links, ...(hasEmbedded ? { _embedded: embedded } : {}) };
}
