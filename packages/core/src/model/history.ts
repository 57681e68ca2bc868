import { z } from "zod";
import type { Json } from "../util/json.ts";
import type { FieldModel } from "./model.ts";

/** The operations that entries report. */
export const HISTORY_OPERATIONS = ["create", "update", "delete", "restore"] as const;

export type HistoryOperation = (typeof HISTORY_OPERATIONS)[number];

/** A changed field of a row. A value that the field didn't have, or no longer has, is null. */
export interface HistoryChange {
  readonly field: string;
  readonly from: Json;
  readonly to: Json;
}

type HistorySchemas = ReturnType<typeof createSchemas>;

let created: HistorySchemas | undefined;

/** Returns the schemas of entries. All resources share them, so OpenAPI and GraphQL have one type for each. */
export function historySchemas(): HistorySchemas {
  return (created ??= createSchemas());
}

function createSchemas() {
  const change = z
    .object({ field: z.string(), from: z.any().nullable(), to: z.any().nullable() })
    .meta({ id: "HistoryChange" });
  return {
    /** The fields of an entry that callers can read. */
    fields: {
      id: z.uuid(),
      at: z.iso.datetime(),
      by: z.string().nullable().meta({ description: "The id of the caller. Null without a caller." }),
      operation: z.enum(HISTORY_OPERATIONS).meta({ id: "HistoryOperation" }),
      action: z.string().nullable().meta({ description: "The action that made the change." }),
    },
    /** The changes of an entry that the caller can read, computed from the stored ones. */
    changes: z.array(change),
    /**
     * The fields of an entry that only stores see. `names` and `entries` hold the changed fields and their values.
     * `ended`: the entry belongs to an earlier row with the same key.
     */
    stored: { names: z.array(z.string()), entries: z.array(z.any()), ended: z.boolean().default(false) },
  };
}

/** The relation from an entry to its row. No style offers it, and it has no foreign key. */
export const ROW_RELATION = "row";

/** The field of an entry that holds a tenant. */
export const TENANT_FIELD = "tenant";

/** Returns the name of the resource that holds the history of a resource. */
export function historyName(resource: string): string {
  return `${resource}History`;
}

/**
 * Whether a history contains the values of a field. Fields that every write sets would reveal changes of hidden fields,
 * and values with `read: deny` must not be kept.
 */
export function isRecorded(
  { version }: { readonly version: unknown },
  { name, internal, read, generated }: FieldModel,
): boolean {
  return !internal && name !== version && generated?.when !== "write" && read.kind !== "deny";
}
