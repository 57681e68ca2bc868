import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel } from "../../model/model.ts";
import { parseId } from "../../operation/key.ts";
import { isPlainObject } from "../../errors/refuse.ts";
import type { Json } from "../../util/json.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { isRelationshipsTaken, RELATIONSHIPS } from "../routes/relationships-segment.ts";
import { isRows, type RelationshipFormat, type RowView, rowUrl, type View } from "../formats/format.ts";
import { badRequest, keyOf, readIdentifier } from "./read-document.ts";

export const VERSION = { version: "1.1" };

export interface Identifier {
  readonly type: string;
  readonly id: string;
}

/**
 * Returns the URLs of a relation's rows (`related`) and of its linkage (`self`, §7.2.2.2). `self` is absent if a
 * relation named `relationships` uses that path.
 */
export function relationshipLinks(
  view: Pick<View, "prefix">,
  row: Pick<RowView, "resource" | "id">,
  relation: RelationModel,
): { readonly self?: string; readonly related: string } {
  const [own, segment] = [rowUrl(view, row), kebabCase(relation.name)];
  const related = `${own}/${segment}`;
  if (isRelationshipsTaken(row.resource)) return { related };
  return { self: `${own}/${RELATIONSHIPS}/${segment}`, related };
}

export function linkage(related: RowView | readonly RowView[] | null): Identifier | readonly Identifier[] | null {
  if (related === null) return null;
  return isRows(related) ? related.map(identify) : identify(related);
}

function identify({ resource, id }: RowView): Identifier {
  return { type: resource.plural, id };
}

/** Reads and writes documents at relationship URLs (§8.2, §9.2). */
export const relationship: RelationshipFormat = {
  write(view) {
    const { relation, rows, links, total, url } = view;
    const { related } = relationshipLinks(view, view, relation);
    return JSON.stringify({
      jsonapi: VERSION,
      links: { self: url, related, ...links },
      data: linkage(rows),
      ...(total === undefined ? {} : { meta: { total } }),
    });
  },
  parse(body, { model, relation }) {
    if (!isPlainObject(body) || body["data"] === undefined) throw badRequest("'data' is required.");
    const far = model.resources.get(relation.target) as ResourceModel;
    const { data } = body;
    if (!relation.many) return data === null ? [] : [keyOf(far, readIdentifier(far, data, "data")) as Json];
    if (!Array.isArray(data)) throw badRequest("'data' must be a list.");
    return data.map((one: unknown, index) => readTarget(far, one, `data[${index}]`));
  },
};

/** A malformed id can't belong to any row. */
function readTarget(far: ResourceModel, data: unknown, place: string): Key {
  const id = readIdentifier(far, data, place);
  const key = typeof id === "string" ? parseId(far, id) : undefined;
  if (key === undefined) throw new BifocalError("NOT_FOUND", `There is no ${far.name} with this id.`);
  return key;
}
