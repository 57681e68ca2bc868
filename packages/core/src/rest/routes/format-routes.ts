import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import type { Format } from "../formats/format.ts";
import type { PathEntry, DocumentedResource } from "../openapi/openapi-types.ts";
import type { Endpoint, OperationsOf } from "./endpoint.ts";
import { DefinitionError, type DefinitionMistake } from "../../errors/definition-error.ts";

/** Endpoints that a format adds below each row, such as `/books/{id}/relationships/author`. */
export interface FormatRoutes {
  /** The path segment between the id and the relation. */
  readonly segment: string;
  /** Returns the endpoints of a resource by the last segment of their path. An empty map adds nothing. */
  readonly endpoints: (parts: FormatParts, resource: ResourceModel) => ReadonlyMap<string, Endpoint>;
  /** Describes the endpoint of a relation, if it has one. `name` is the relation's name in operation ids. */
  readonly describe: (
    place: DocumentedResource,
    relation: RelationModel,
    name: string,
    types: FormatParts["types"],
  ) => PathEntry | undefined;
}

export interface FormatParts {
  readonly model: Model;
  readonly operationsOf: OperationsOf;
  /** The media types of the formats that have these routes. */
  readonly types: readonly string[];
}

/** A symbol keeps the routes out of the public interface, and is part of copies such as `{ ...jsonApi, mediaType }`. */
const ROUTES = Symbol.for("bifocal.formatRoutes");

/** Adds routes to a format. */
export function withRoutes(format: Format, routes: FormatRoutes): Format {
  return Object.assign(format, { [ROUTES]: routes });
}

/** Returns the routes that formats add, with the media types of these formats. */
export function routesOf(formats: readonly Format[]): ReadonlyMap<FormatRoutes, readonly string[]> {
  const typesOf = new Map<FormatRoutes, string[]>();
  for (const format of formats as readonly (Format & { readonly [ROUTES]?: FormatRoutes })[]) {
    const routes = format[ROUTES];
    if (routes !== undefined) typesOf.set(routes, [...(typesOf.get(routes) ?? []), format.mediaType]);
  }
  return typesOf;
}

/** Throws a `DefinitionError` if a field has a name that a format reserves. */
export function checkFormats(model: Model, formats: readonly Format[]): void {
  const mistakes: DefinitionMistake[] = [];
  for (const { mediaType, reserved = [] } of formats) {
    for (const { name, visibleFields } of model.resources.values()) {
      for (const field of visibleFields) {
        if (!reserved.includes(field.name)) continue;
        const problem = `'${mediaType}' reserves the member '${field.name}', but a field has this name.`;
        const fix = "Rename the field, or remove the format from 'formats'.";
        mistakes.push({ at: `${name}.fields.${field.name}`, problem, fix });
      }
    }
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
}
