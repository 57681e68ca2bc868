import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { isOfferedRelation } from "../../model/offered.ts";
import { referenceOf } from "../../model/reference.ts";
import { formatId } from "../../operation/key.ts";
import type { Json } from "../../util/json.ts";
import { isRows, type RowView, rowUrl, type View } from "../formats/format.ts";
import { attributeName, isAttribute } from "./attributes.ts";
import { type Identifier, linkage, relationshipLinks } from "./linkage.ts";

export interface ResourceObject extends Identifier {
  readonly attributes: Readonly<Record<string, Json>>;
  readonly relationships?: Readonly<Record<string, object>>;
  /** Absent if the row has no URL that can be read. */
  readonly links?: { readonly self: string };
}

export interface DocumentWriter {
  readonly toObject: (row: RowView) => ResourceObject;
  /** Returns every embedded row once, at any depth, except the primary ones. */
  readonly included: (primary: readonly RowView[]) => { readonly included?: readonly ResourceObject[] };
}

export function createDocument(view: View): DocumentWriter {
  const toObject = (row: RowView): ResourceObject => {
    const { resource } = row;
    const self = rowUrl(view, row);
    const relationships: Record<string, object> = {};
    const asked = view.fieldsets?.get(resource.name)?.relations;
    for (const relation of resource.relations.values()) {
      if (asked?.has(relation.name) === false) continue;
      const data = dataOf(view, row, relation);
      const meta = metaOf(row, relation.name);
      const isOffered = isOfferedRelation(view.model, relation);
      // A relationship must have a member (§7.2.2).
      if (data === undefined && meta === undefined && !isOffered) continue;
      relationships[relation.name] = {
        ...(isOffered ? { links: relationshipLinks(view, row, relation) } : {}),
        ...(data === undefined ? {} : { data }),
        ...(meta === undefined ? {} : { meta }),
      };
    }
    const hasRelations = Object.keys(relationships).length > 0;
    const attributes = attributesOf(row);
    const identity = { type: resource.plural, id: row.id };
    return {
      ...identity,
      attributes,
      ...(hasRelations ? { relationships } : {}),
      ...(resource.operations.rest.get ? { links: { self } } : {}),
    };
  };

  return {
    toObject,
    included(primary) {
      const tokenOf = ({ resource, id }: RowView): string => `${resource.name}/${id}`;
      const known = new Set(primary.map(tokenOf));
      const found: ResourceObject[] = [];
      const isAsked = view.selection.relations.length > 0;
      const visit = (row: RowView): void => {
        for (const related of Object.values(row.relations)) {
          for (const one of related === null ? [] : isRows(related) ? related : [related]) {
            if (!known.has(tokenOf(one))) {
              known.add(tokenOf(one));
              found.push(toObject(one));
            }
            visit(one);
          }
        }
      };
      for (const row of primary) visit(row);
      return isAsked ? { included: found } : {};
    },
  };
}

/** Returns what is known about the rows of a relation in addition to their linkage. */
function metaOf(row: RowView, relation: string): object | undefined {
  const total = row.totals[relation];
  if (total !== undefined) return { total: total.total, totalIsExact: total.isExact };
  const groups = row.groups[relation];
  return groups === undefined ? undefined : { groups };
}

/**
 * Returns the linkage of a relation, if it is known. The foreign key in the row is enough, even if the related row is
 * hidden or not included.
 */
function dataOf(view: View, row: RowView, relation: RelationModel): ReturnType<typeof linkage> | undefined {
  const reference = identifierIn(view, row, relation);
  if (reference !== undefined) return reference;
  const related = row.relations[relation.name];
  const isUnknown = related === undefined || (related === null && relation.kind === "belongsTo");
  return isUnknown ? undefined : linkage(related);
}

function identifierIn(view: View, row: RowView, relation: RelationModel): Identifier | null | undefined {
  if (relation.kind !== "belongsTo") return undefined;
  if (relation.local.some((name) => row.fields[name] === undefined)) return undefined;
  const key = referenceOf(relation.local, row.fields);
  if (key === null) return null;
  // Another unique field doesn't show the id.
  if (!relation.toKey) return undefined;
  const far = view.model.resources.get(relation.target) as ResourceModel;
  return { type: far.plural, id: formatId(far, key) };
}

function attributesOf({ resource, fields }: RowView): Record<string, Json> {
  const attributes: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (isAttribute(resource, name)) attributes[attributeName(resource, name)] = value;
  }
  return attributes;
}
