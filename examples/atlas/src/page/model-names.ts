import type { AtlasApi } from "../create.ts";

/** The names that filters of a resource can use. */
export interface ResourceNames {
  /** The first segment of its URLs: `cities`. */
  readonly path: string;
  readonly fields: readonly FieldNames[];
}

export interface FieldNames {
  readonly name: string;
  readonly operators: readonly string[];
  /** The values of an enum. */
  readonly values: readonly string[];
}

/** Returns the filterable fields of each resource, also those along its to-one relations (`country.region`). */
export function modelNames({ model }: AtlasApi): readonly ResourceNames[] {
  const all = [...model.resources.values()];
  const filterable = (name: string): readonly FieldNames[] =>
    (model.resources.get(name)?.visibleFields ?? [])
      .filter((field) => field.filterable)
      .map(({ name: field, operators, type }) => ({
        name: field,
        operators: [...operators],
        values: type.kind === "enum" ? type.values.map(String) : type.kind === "boolean" ? ["true", "false"] : [],
      }));
  return all.map(({ name, path, relations }) => ({
    path,
    fields: [
      ...filterable(name),
      ...[...relations.values()]
        .filter(({ kind }) => kind === "belongsTo")
        .flatMap((relation) =>
          filterable(relation.target).map((field) => ({ ...field, name: `${relation.name}.${field.name}` })),
        ),
    ],
  }));
}
