import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../message/message.ts";
import type { ResourceModel } from "../../model/model.ts";
import { idValue } from "../../operation/key.ts";
import type { CreateOperation } from "../../operation/operation.ts";
import type { BatchOutcome } from "../../operation/outcome.ts";
import { type Exchange, idempotencyOf, readQuery, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { lowerCondition } from "../request/lower-list.ts";
import { lowerShape, type ResponseShape, selectShape } from "../request/lower-shape.ts";
import { nestedMembers } from "../patch/merge-patch.ts";
import { SHAPE_PARAMETERS } from "../request/parameters.ts";
import { MERGE_PATCH, parseBody } from "../request/parse-body.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import { applied, appliedToDeletion } from "../request/negotiate.ts";
import { parseBatchPrecondition } from "../response/conditional.ts";
import { respondNothing, respondValue } from "../response/respond.ts";
import { REPRESENTATION, serializeRows } from "../response/representation.ts";

/** Handles `POST /books` with a list. Either all rows are created or none. */
export async function createMany(
  exchange: Exchange,
  inputs: readonly unknown[],
  shape: ResponseShape,
  within: CreateOperation["within"],
): Promise<HttpResponse> {
  const { resource } = exchange.target;
  refuseFormat(exchange);
  const made = {
    kind: "createMany",
    resource: resource.name,
    inputs,
    form: "wire",
    ...selectShape(exchange, shape),
    ...idempotencyOf(exchange),
  } as const;
  const outcome = await run(exchange, within === undefined ? made : { ...made, within });
  if (outcome.kind !== "batch") return unexpectedOutcome(outcome);
  const headers = applied(exchange.preferences, "return", "handling");
  if (exchange.preferences.return === "minimal") return respondNothing(exchange, headers, 201);
  return { ...respondRows(exchange, outcome, shape, headers), status: 201 };
}

/** Handles `PATCH /books?filter[genre]=poem`, which applies the same changes to all matching rows. */
export async function handleUpdateMany(exchange: Exchange): Promise<HttpResponse> {
  const { target, preferences } = exchange;
  const { resource } = target;
  refuseFormat(exchange);
  const tree = readQuery(exchange, ["filter", "q", ...SHAPE_PARAMETERS]);
  const shape = lowerShape(exchange, tree);
  const condition = lowerCondition(target, tree, [], "text");
  const { value: input } = await parseBody(exchange, [MERGE_PATCH, JSON_TYPE]);
  refuseNested(resource, input);
  const isShown = preferences.return === "representation";
  const changes = {
    kind: "updateMany",
    resource: resource.name,
    ...condition,
    input,
    form: "wire",
    ...parseBatchPrecondition(exchange.request),
    ...idempotencyOf(exchange),
  } as const;
  const outcome = await run(exchange, isShown ? { ...changes, ...selectShape(exchange, shape) } : changes);
  if (outcome.kind !== "batch") return unexpectedOutcome(outcome);
  const headers = applied(preferences, "return", "handling");
  if (isShown) return respondRows(exchange, outcome, shape, headers);
  return respondCount(exchange, "updated", outcome, headers);
}

/** Handles `DELETE /books?filter[genre]=poem`. */
export async function handleDeleteMany(exchange: Exchange): Promise<HttpResponse> {
  const { resource } = exchange.target;
  refuseFormat(exchange);
  const condition = lowerCondition(exchange.target, readQuery(exchange, ["filter", "q"]), [], "text");
  const outcome = await run(exchange, {
    kind: "deleteMany",
    resource: resource.name,
    ...condition,
    ...parseBatchPrecondition(exchange.request),
    ...idempotencyOf(exchange),
  });
  if (outcome.kind !== "batch") return unexpectedOutcome(outcome);
  return respondCount(exchange, "deleted", outcome, appliedToDeletion(exchange.preferences));
}

/** Merging into objects would require reading and writing each row separately (RFC 7396 §2). */
function refuseNested(resource: ResourceModel, patch: unknown): void {
  const issues = nestedMembers(resource, patch).map((name) => {
    const message = `A bulk update can't merge into '${name}'. Update those rows individually.`;
    return { path: [name], message, code: "not_mergeable" };
  });
  if (issues.length > 0) {
    throw new BifocalError(
      "VALIDATION_FAILED",
      "A bulk update can't change parts of objects. Update those rows individually.",
      { issues },
    );
  }
}

/** Other formats have no representation for the result of a bulk write. */
function refuseFormat({ format }: Exchange): void {
  if (format === undefined) return;
  throw new BifocalError("NOT_ACCEPTABLE", `Bulk responses are only available as ${JSON_TYPE}.`);
}

function respondRows(
  exchange: Exchange,
  { rows, written }: BatchOutcome,
  shape: ResponseShape,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  // A row that the caller is not allowed to read is null.
  const representations = rows.map((row) => row?.write(REPRESENTATION, shape.selection) ?? null);
  return { ...respondValue(exchange, null, headers), body: serializeRows(representations, written) };
}

function respondCount(
  exchange: Exchange,
  what: "updated" | "deleted",
  { keys }: BatchOutcome,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  if (exchange.preferences.return === "minimal") return respondNothing(exchange, headers);
  const { resource } = exchange.target;
  const ids = keys.map((key) => idValue(resource, key));
  return respondValue(exchange, { [what]: keys.length, ids }, headers);
}
