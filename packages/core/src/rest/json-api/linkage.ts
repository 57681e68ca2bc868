import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { parseId } from "../../operation/key.ts";
import { isPlainObject } from "../../errors/refuse.ts";
import type { Json } from "../../util/json.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import type { PageLinks } from "../read/page-links.ts";
import { isRows, type RowView, rowUrl, type View } from "../formats/format.ts";
import { VERSION } from "./media-type.ts";
import { badRequest, parseRowKey, readIdentifier } from "./read-document.ts";

/** The path segment before the relation. */
export const RELATIONSHIPS = "relationships";

/** Whether a relation called `relationships` uses the path. Relationship URLs are then unavailable. */
export function isRelationshipsTaken({ relations }: ResourceModel): boolean {
  return [...relations.keys()].some((name) => kebabCase(name) === RELATIONSHIPS);
}

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

/** The response of a relationship URL. */
export interface RelationshipView extends Pick<View, "prefix" | "url"> {
  /** The resource of the relation's source. */
  readonly resource: ResourceModel;
  readonly id: string;
  readonly relation: RelationModel;
  /** The related rows, with their keys only. */
  readonly rows: RowView | readonly RowView[] | null;
  /** For a to-many relation. */
  readonly links: PageLinks | undefined;
  readonly total: number | undefined;
  readonly totalIsExact: boolean | undefined;
}

/** Writes the document at a relationship URL (§8.2). */
export function writeRelationship(view: RelationshipView): string {
  const { relation, rows, links, total, totalIsExact, url } = view;
  const { related } = relationshipLinks(view, view, relation);
  return JSON.stringify({
    jsonapi: VERSION,
    links: { self: url, related, ...links },
    data: linkage(rows),
    ...(total === undefined ? {} : { meta: { total, totalIsExact: totalIsExact === true } }),
  });
}

/** Returns the keys in a document for a relationship URL (§9.2); for a to-one relation one key or an empty list. */
export function readRelationship(body: Json, model: Model, relation: RelationModel): readonly Json[] {
  const data = dataOf(body);
  const far = model.resources.get(relation.target) as ResourceModel;
  if (!relation.many) return data === null ? [] : [parseRowKey(far, readIdentifier(far, data, "data")) as Json];
  if (!Array.isArray(data)) throw badRequest("'data' must be a list.");
  return data.map((one: unknown, index) => readTarget(far, one, `data[${index}]`));
}

/** Returns `data` of a document. */
export function dataOf(body: Json): unknown {
  if (!isPlainObject(body) || body["data"] === undefined) throw badRequest("'data' is required.");
  return body["data"];
}

/** A malformed id can't belong to any row. */
function readTarget(far: ResourceModel, data: unknown, place: string): Key {
  const id = readIdentifier(far, data, place);
  const key = typeof id === "string" ? parseId(far, id) : undefined;
  if (key === undefined) throw new BifocalError("NOT_FOUND", `There is no ${far.name} with this id.`);
  return key;
}
