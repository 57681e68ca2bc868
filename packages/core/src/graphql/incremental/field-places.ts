import {
  type FieldNode,
  type GraphQLResolveInfo,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import type { Document } from "../lower/document.ts";
import { applies } from "../lower/each-field.ts";

type Path = GraphQLResolveInfo["path"];

/** A deferred fragment. `parent` is the deferred fragment that contains it. */
export interface Defer {
  readonly id: number;
  readonly parent: Defer | undefined;
}

/** A field of the document, and the fragment that defers it. */
export interface Detail {
  readonly node: FieldNode;
  readonly defer: Defer | undefined;
}

/** Keyed by response name. */
export type Fields = ReadonlyMap<string, readonly Detail[]>;

/**
 * The fields that a document selects at each place of its result. Positions in lists are ignored, because all rows of a
 * place have the same fields.
 */
export class FieldPlaces {
  readonly #document: Document;
  readonly #operation: OperationDefinitionNode;
  readonly #known = new Map<string, Fields>();
  #defers = 0;

  constructor(document: Document, operation: OperationDefinitionNode) {
    this.#document = document;
    this.#operation = operation;
  }

  /** Returns the fields of the object that contains the field at `path`. */
  around(path: Path): Fields {
    const name = placeName(path.prev, path.typename);
    let fields = this.#known.get(name);
    if (fields === undefined) {
      fields = this.#collectAround(path);
      this.#known.set(name, fields);
    }
    return fields;
  }

  at(path: Path): readonly Detail[] {
    return this.around(path).get(String(path.key)) ?? [];
  }

  /** Returns the merged selections of several fields (graphql-js: `collectSubfields`). */
  beneath(details: readonly Detail[], typeName: string): Fields {
    const fields = new Map<string, Detail[]>();
    for (const { node, defer } of details) this.#collect(fields, node.selectionSet, typeName, defer);
    return fields;
  }

  root(typeName: string): Fields {
    const fields = new Map<string, Detail[]>();
    this.#collect(fields, this.#operation.selectionSet, typeName, undefined);
    return fields;
  }

  #collectAround({ prev, typename = "" }: Path): Fields {
    let parent = prev;
    while (typeof parent?.key === "number") parent = parent.prev;
    return parent === undefined ? this.root(typename) : this.beneath(this.at(parent), typename);
  }

  #collect(
    fields: Map<string, Detail[]>,
    selectionSet: SelectionSetNode | undefined,
    typeName: string,
    defer: Defer | undefined,
  ): void {
    const document = this.#document;
    for (const selection of selectionSet?.selections ?? []) {
      if (!document.isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const known = fields.get(key);
        if (known === undefined) fields.set(key, [{ node: selection, defer }]);
        else known.push({ node: selection, defer });
        continue;
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : document.fragments[selection.name.value];
      if (fragment === undefined || !applies(fragment, typeName, document)) continue;
      const isDeferred = document.parts?.isDeferred(selection, typeName) === true;
      const own = isDeferred ? { id: this.#defers++, parent: defer } : defer;
      this.#collect(fields, fragment.selectionSet, typeName, own);
    }
  }
}

/**
 * Returns the deferred fragments with which a field is delivered. Empty if the field is in the first payload. If
 * fragments are nested, only the outermost count (graphql-js: `buildExecutionPlan`).
 */
export function groupOf(details: readonly Detail[]): readonly Defer[] {
  const defers = new Set<Defer>();
  for (const { defer } of details) {
    if (defer === undefined) return [];
    defers.add(defer);
  }
  return [...defers].filter(({ parent }) => {
    for (let at = parent; at !== undefined; at = at.parent) if (defers.has(at)) return false;
    return true;
  });
}

export function groupName(group: readonly Defer[]): string {
  return group.map(({ id }) => id).join();
}

/**
 * Returns the nodes that are executed together with a field. Nodes in fragments nested within its own are left out;
 * their fields come later.
 */
export function nodesIn(group: readonly Defer[], details: readonly Detail[]): readonly FieldNode[] {
  return details
    .filter(({ defer }) => (defer === undefined ? group.length === 0 : group.includes(defer)))
    .map(({ node }) => node);
}

/** Formats a path without the positions in lists. */
export function placeName(path: Path | undefined, typeName: string | undefined): string {
  let name = typeName ?? "";
  for (let at = path; at !== undefined; at = at.prev) if (typeof at.key === "string") name = `${at.key}/${name}`;
  return name;
}
