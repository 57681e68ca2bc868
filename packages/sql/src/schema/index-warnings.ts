import type { FieldModel, ResourceModel, Warning } from "@bifocal/core/store";
import type { DialectName } from "../dialect/dialect.ts";
import { isLongText } from "./long-text.ts";
import type { NamingOptions } from "../table/resolve-tables.ts";
import { needsHash } from "./wanted.ts";

/** Warns about text fields that the database can't index as their use needs it. */
export function indexWarnings(
  name: DialectName,
  resources: readonly ResourceModel[],
  tables: NamingOptions["tables"] = {},
): readonly Warning[] {
  if (name !== "postgres") return trigramWarnings(tables);
  const named = (matches: (field: FieldModel, resource: ResourceModel) => boolean): string =>
    resources
      .flatMap((resource) =>
        [...resource.fields.values()]
          .filter((field) => matches(field, resource))
          .map((field) => `${resource.name}.${field.name}`),
      )
      .join(", ");
  const short = named(
    (field, { key, unique }) =>
      isLongText(field) && (field.sortable || key.includes(field.name) || unique.flat().includes(field.name)),
  );
  const equal = named((field) => field.filterable && needsHash({ name }, field));
  const warnings: Warning[] = [];
  if (short !== "") {
    const message = `PostgreSQL can't index texts of more than 2,704 bytes, so writes of longer texts may fail with 422: ${short}. Set a maximum of at most 600 characters.`;
    warnings.push({ code: "long_text", message });
  }
  if (equal !== "") {
    const message = `The indexes of these text fields serve only equality, because their texts have no maximum length: ${equal}. Set a maximum of at most 600 characters if callers filter by \`startsWith\` or ranges.`;
    warnings.push({ code: "equality_index", message });
  }
  return warnings;
}

function trigramWarnings(tables: NonNullable<NamingOptions["tables"]>): readonly Warning[] {
  const fields = Object.entries(tables).flatMap(([resource, { trigrams = [] }]) =>
    trigrams.map((field) => `${resource}.${field}`),
  );
  if (fields.length === 0) return [];
  const message = `Only PostgreSQL has trigram indexes, so \`contains\` reads all rows here: ${fields.join(", ")}.`;
  return [{ code: "trigram_index", message }];
}
