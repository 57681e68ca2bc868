import { Kind } from "graphql";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { PlanSource } from "../compile/plan.ts";
import { rootOf } from "../root-field.ts";

/**
 * Returns an error unless the document has a single mutation field, because the `Idempotency-Key` of a request stands
 * for one write. A field of the host can't use it.
 */
export function requireOneWrite({ schema, operation }: PlanSource): BifocalError | undefined {
  const [only, ...others] = operation.selectionSet.selections;
  const name = only?.kind === Kind.FIELD && others.length === 0 ? only.name.value : undefined;
  if (name === undefined) {
    const message =
      "The header 'Idempotency-Key' needs a document with one mutation field. For several fields, use their argument 'idempotencyKey'.";
    return new BifocalError("BAD_REQUEST", message);
  }
  const field = schema.getMutationType()?.getFields()[name];
  if (field === undefined || rootOf(field.resolve) !== undefined) return undefined;
  return new BifocalError("BAD_REQUEST", `'${name}' doesn't support 'Idempotency-Key'. Remove the header.`);
}
