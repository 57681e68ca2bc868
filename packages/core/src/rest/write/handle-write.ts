import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../message/message.ts";
import type { ResourceModel, RelationModel } from "../../model/model.ts";
import { idValue } from "../../operation/key.ts";
import type { CreateOperation } from "../../operation/operation.ts";
import type { Outcome } from "../../operation/outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { parsePreconditions } from "../response/conditional.ts";
import { about, type Exchange, idempotencyOf, readQuery, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { createMany } from "./handle-bulk.ts";
import { readKey } from "../read/handle-read.ts";
import { readShape, type ResponseShape, selectShape } from "../request/lower-shape.ts";
import { inputTypes, parseBody, readInput } from "../request/parse-body.ts";
import { applied, appliedToDeletion } from "../request/negotiate.ts";
import { locationHeader, respondItem, respondNothing, respondValue } from "../response/respond.ts";

/** Handles `POST /books`. */
export function handleCreate(exchange: Exchange, within?: CreateOperation["within"]): MaybePromise<HttpResponse> {
  const { target } = exchange;
  const { resource } = target;
  const shape = readShape(exchange);
  return mapMaybePromise(parseBody(exchange, inputTypes(target)), (body) => {
    const { create, createMany: creates } = resource.operations.rest;
    if (Array.isArray(body.value) && creates) return createMany(exchange, body.value, shape, within);
    if (!create) throw listExpected(resource);
    const input = readInput(exchange, body, { mode: "create", id: undefined });
    const created = {
      kind: "create",
      resource: resource.name,
      input,
      form: "wire",
      ...selectShape(exchange, shape),
      ...idempotencyOf(exchange),
    } as const;
    const outcome = run(exchange, within === undefined ? created : { ...created, within });
    return mapMaybePromise(outcome, (known) => respondCreated(exchange, known, shape));
  });
}

function listExpected({ plural }: ResourceModel): BifocalError {
  const message = `Expected a list of ${plural}.`;
  return new BifocalError("VALIDATION_FAILED", message, { issues: [{ path: [], message, code: "invalid_type" }] });
}

function respondCreated(exchange: Exchange, outcome: Outcome, shape: ResponseShape): MaybePromise<HttpResponse> {
  const { target, request, preferences } = exchange;
  if ((outcome.kind !== "item" && outcome.kind !== "nothing") || outcome.key === undefined)
    return unexpectedOutcome(outcome);
  const headers = {
    ...locationHeader(request.prefix, target.resource, outcome.key),
    ...applied(preferences, "return", "handling"),
  };
  if (outcome.kind === "item" && preferences.return !== "minimal") {
    return respondItem(exchange, outcome, shape, { status: 201, headers });
  }
  // A caller that is not allowed to read the new row still gets its location.
  const tag = outcome.kind === "item" ? { ETag: `"${outcome.version}"` } : {};
  return respondNothing(exchange, { ...headers, ...tag }, 201);
}

/** Handles `POST /authors/{id}/books`. */
export function handleCreateWithin(
  exchange: Exchange,
  id: string,
  relation: RelationModel,
): MaybePromise<HttpResponse> {
  const { model, resource } = exchange.target;
  const within = { resource: resource.name, key: readKey(resource, id), relation: relation.name };
  return handleCreate(about(exchange, model.resources.get(relation.target) as ResourceModel), within);
}

/** Handles `PUT /books/{id}`. */
export function handleReplace(exchange: Exchange, id = ""): MaybePromise<HttpResponse> {
  return mapMaybePromise(parseBody(exchange, inputTypes(exchange.target)), (body) =>
    writeRow(exchange, "replace", id, readInput(exchange, body, { mode: "replace", id })),
  );
}

/**
 * Replaces or updates a row.
 *
 * @param madeFrom - the version of the row from which the input was computed, if it was
 */
export function writeRow(
  exchange: Exchange,
  kind: "replace" | "update",
  id: string,
  input: unknown,
  madeFrom?: string,
): MaybePromise<HttpResponse> {
  const { target, request } = exchange;
  const { resource } = target;
  const shape = readShape(exchange);
  const row = { resource: resource.name, key: readKey(resource, id), input, form: "wire" as const };
  const written = {
    ...row,
    ...parsePreconditions(request),
    ...selectShape(exchange, shape),
    ...idempotencyOf(exchange),
  };
  const outcome = run(
    exchange,
    kind === "replace" ? { kind, ...written } : { kind, ...written, ...(madeFrom === undefined ? {} : { madeFrom }) },
  );
  return mapMaybePromise(outcome, (known) => respondWritten(exchange, known, shape));
}

function respondWritten(exchange: Exchange, outcome: Outcome, shape: ResponseShape): MaybePromise<HttpResponse> {
  const { target, request, preferences } = exchange;
  const { resource } = target;
  if (outcome.kind !== "item" && outcome.kind !== "nothing") return unexpectedOutcome(outcome);
  const isNew = outcome.created === true;
  const status = isNew ? 201 : 200;
  const location = isNew && outcome.key !== undefined ? locationHeader(request.prefix, resource, outcome.key) : {};
  const headers = { ...location, ...applied(preferences, "return", "handling") };
  if (outcome.kind === "nothing") return respondNothing(exchange, location, isNew ? 201 : 204);
  if (preferences.return !== "minimal") return respondItem(exchange, outcome, shape, { status, headers });
  return respondNothing(exchange, { ...headers, ETag: `"${outcome.version}"` }, isNew ? 201 : 204);
}

/** Handles `DELETE /books/{id}`. */
export function handleDelete(exchange: Exchange, id = ""): MaybePromise<HttpResponse> {
  const { target, request, preferences, format } = exchange;
  readQuery(exchange, []);
  const key = readKey(target.resource, id);
  const outcome = run(exchange, {
    kind: "delete",
    resource: target.resource.name,
    key,
    ...parsePreconditions(request),
    ...idempotencyOf(exchange),
  });
  return mapMaybePromise(outcome, (known) => {
    if (known.kind !== "nothing") return unexpectedOutcome(known);
    const headers = appliedToDeletion(preferences);
    // Other formats have no representation for a deletion.
    if (preferences.return === "minimal" || format !== undefined) return respondNothing(exchange, headers);
    return respondValue(exchange, { deleted: true, id: idValue(target.resource, key) }, headers);
  });
}

/** Handles `PUT` and `DELETE /books/{id}/tags/{tagId}`. */
export async function handleLink(
  exchange: Exchange,
  kind: "link" | "unlink",
  id: string,
  relation: RelationModel,
  targetId: string,
): Promise<HttpResponse> {
  const { model, resource } = exchange.target;
  readQuery(exchange, []);
  const target = readKey(model.resources.get(relation.target) as ResourceModel, targetId);
  const outcome = await run(exchange, {
    kind,
    resource: resource.name,
    key: readKey(resource, id),
    relation: relation.name,
    target,
    ...idempotencyOf(exchange),
  });
  return outcome.kind === "nothing" ? respondNothing(exchange) : unexpectedOutcome(outcome);
}
