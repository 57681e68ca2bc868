import type { FieldModel, ResourceModel, Row, RowCodec } from "../model.ts";
import { deepFreeze } from "../../util/deep-freeze.ts";
import { createInputParser } from "../parse/input-parser.ts";
import type { Draft, Report } from "./draft.ts";
import { pascalCase } from "./plural.ts";
import { resolveCache, resolvePage } from "./resolve-page.ts";
import { resolveDeprecation } from "./resolve-deprecation.ts";
import { DENY } from "./resolve-rule.ts";
import { resolveWriting } from "./resolve-writing.ts";

/** Converts a draft to the final model after all passes. */
export function finishResource(draft: Draft, report: Report): ResourceModel {
  const { name, plural, fields, config } = draft;
  const deprecation = resolveDeprecation(config["deprecated"], `${name}.deprecated`, report);
  const visibleFields = [...fields.values()].filter((field) => !field.internal);
  return deepFreeze({
    name,
    plural,
    typeName: pascalCase(name),
    pluralTypeName: pascalCase(plural),
    path: draft.path,
    key: draft.key,
    fields,
    visibleFields,
    ruledFields: visibleFields.filter(({ read }) => read.kind !== "allow"),
    secretFields: [...fields.values()].filter(({ secret }) => secret).map((field) => field.name),
    relations: draft.relations,
    nested: [...draft.relations.values()].filter(({ creates }) => creates > 0),
    actions: draft.actions,
    access: draft.access ?? { read: DENY, create: DENY, update: DENY, delete: DENY },
    unique: draft.unique,
    page: resolvePage(draft, report),
    cache: resolveCache(draft, report),
    description: typeof config["description"] === "string" ? config["description"] : undefined,
    ...resolveWriting(draft, report),
    deprecated: deprecation?.reason,
    deprecation,
    parse: {
      create: createInputParser(draft, "create"),
      replace: createInputParser(draft, "replace"),
      update: createInputParser(draft, "update"),
    },
    codec: rowCodec([...fields.values()]),
  });
}

function rowCodec(fields: readonly FieldModel[]): RowCodec | undefined {
  const converted = fields.flatMap(({ name, codec }) => (codec === undefined ? [] : [{ name, codec }]));
  if (converted.length === 0) return undefined;
  return {
    toValue: (row) => {
      const value: Record<string, unknown> = { ...row };
      for (const { name, codec } of converted) value[name] = codec.toValue(row[name] ?? null);
      return value;
    },
    toStored: (value) => {
      const row = { ...value } as Record<string, unknown>;
      for (const { name, codec } of converted) if (Object.hasOwn(row, name)) row[name] = codec.toStored(row[name]);
      return row as Row;
    },
  };
}
