import type { RelationModel, ResourceModel } from "../../../model/model.ts";
import { formatId } from "../../../operation/key.ts";
import type { Json } from "../../../util/json.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { isRows, type RowView, rowUrl, type View } from "../format.ts";
import { attributeName } from "./attributes.ts";

export const VERSION = { version: "1.1" };

interface Identifier {
  readonly type: string;
  readonly id: string;
}

export interface ResourceObject extends Identifier {
  readonly attributes: Readonly<Record<string, Json>>;
  readonly relationships?: Readonly<Record<string, object>>;
  readonly links: { readonly self: string };
}

export interface DocumentWriter {
  readonly toObject: (row: RowView) => ResourceObject;
  /** Every row that is embedded anywhere beneath, once; none of the primary ones. */
  readonly included: (primary: readonly RowView[]) => { readonly included?: readonly ResourceObject[] };
}

export function createDocument(view: View): DocumentWriter {
  const toObject = (row: RowView): ResourceObject => {
    const { resource } = row;
    const self = rowUrl(view, row);
    const relationships: Record<string, object> = {};
    for (const relation of resource.relations.values()) {
      const related = row.relations[relation.name];
      const data = related === undefined ? referenceOf(view, row, relation) : linkage(related);
      const links = { related: `${self}/${kebabCase(relation.name)}` };
      relationships[relation.name] = data === undefined ? { links } : { links, data };
    }
    const hasRelations = resource.relations.size > 0;
    const attributes = attributesOf(row);
    const identity = { type: resource.plural, id: row.id };
    return { ...identity, attributes, ...(hasRelations ? { relationships } : {}), links: { self } };
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

function linkage(related: RowView | readonly RowView[] | null): Identifier | readonly Identifier[] | null {
  if (related === null) return null;
  return isRows(related) ? related.map(identify) : identify(related);
}

function identify({ resource, id }: RowView): Identifier {
  return { type: resource.plural, id };
}

/** A row that holds another's key says whose, even where that is not included. */
function referenceOf(view: View, row: RowView, relation: RelationModel): Identifier | null | undefined {
  if (relation.kind !== "belongsTo") return undefined;
  const key = row.fields[relation.local];
  if (key === undefined) return undefined;
  if (key === null) return null;
  const far = view.model.resources.get(relation.target) as ResourceModel;
  return { type: far.plural, id: formatId(far, key as string | number) };
}

/** The key is the `id`, and foreign keys are relationships (§7.2.2.1). */
function attributesOf({ resource, fields }: RowView): Record<string, Json> {
  const hidden = new Set(resource.key);
  for (const { kind, local } of resource.relations.values()) if (kind === "belongsTo") hidden.add(local);
  const attributes: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!hidden.has(name)) attributes[attributeName(resource, name)] = value;
  }
  return attributes;
}
