import { lowerCount } from "../../lowering/lower-count.ts";
import { costOf } from "../../limits/cost.ts";
import { lowerDeleted } from "../../lowering/lower-deleted.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../message/message.ts";
import type { Key, RelationModel, ResourceModel } from "../../model/model.ts";
import { parseId } from "../../operation/key.ts";
import { groupsSelection, relationSelection } from "../../lowering/lower-selection.ts";
import type { GetOperation } from "../../operation/operation.ts";
import type { ItemOutcome, Outcome } from "../../operation/outcome.ts";
import type { GroupPage, RowPage, ReadableRow } from "../../operation/visible-rows.ts";
import type { Page } from "../../operation/page.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { about, type Exchange, readQuery, readSelection, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { AGGREGATE_PARAMETERS, lowerAggregateQuery, requestsGroups } from "../request/lower-aggregate.ts";
import { lowerListParts } from "../request/lower-list.ts";
import { lowerShape, readShapeAnd, type ResponseShape, wholeShape } from "../request/lower-shape.ts";
import { deletedParameter, LIST_PARAMETERS, SHAPE_PARAMETERS } from "../request/parameters.ts";
import { applied } from "../request/negotiate.ts";
import { createRememberQuery } from "../request/remember-query.ts";
import { respondItem, respondNone } from "../response/respond.ts";
import { countsAt, type ListAnswer } from "./list-reading.ts";
import type { QueryTree } from "../request/parse-query.ts";
import { respondGroups } from "./respond-groups.ts";
import { respondList } from "./respond-list.ts";

/** Parses the id in a path segment. A malformed id can't belong to any row, so it throws NOT_FOUND. */
export function readKey(resource: ResourceModel, id: string): Key {
  const key = parseId(resource, id);
  if (key === undefined) throw new BifocalError("NOT_FOUND", `There is no ${resource.name} with this id.`);
  return key;
}

const rememberShape = createRememberQuery<ReturnType<typeof readShapeAnd>>();

/** Handles `GET /books/{id}`. */
export function handleGet(exchange: Exchange, id = ""): MaybePromise<HttpResponse> {
  const { resource } = exchange.target;
  if (exchange.request.query === "") return getRow(exchange, id, wholeShape(resource), undefined);
  const { shape, tree } = rememberShape(exchange, () =>
    readShapeAnd(exchange, ["initial", ...deletedParameter(resource)]),
  );
  return getRow(exchange, id, shape, tree["deleted"]);
}

function getRow(exchange: Exchange, id: string, shape: ResponseShape, deleted: unknown): MaybePromise<HttpResponse> {
  const { context, target } = exchange;
  const { resource } = target;
  const key = readKey(resource, id);
  const { named } = shape;
  const get = { kind: "get", resource: resource.name, key, selection: readSelection(exchange, shape), named } as const;
  const operation = deleted === undefined ? get : { ...get, ...lowerDeleted(resource, deleted) };
  const outcome = context.run(operation, context.caller);
  return outcome instanceof Promise ? respondLater(exchange, outcome, shape) : respondGet(exchange, outcome, shape);
}

async function respondLater(
  exchange: Exchange,
  outcome: Promise<Outcome>,
  shape: ResponseShape,
): Promise<HttpResponse> {
  return respondGet(exchange, await outcome, shape);
}

function respondGet(exchange: Exchange, outcome: Outcome, shape: ResponseShape): MaybePromise<HttpResponse> {
  if (outcome.kind === "failure") throw outcome.error;
  if (outcome.kind !== "item") return unexpectedOutcome(outcome);
  const { preferences } = exchange;
  return preferences.handling === undefined
    ? respondItem(exchange, outcome, shape)
    : respondItem(exchange, outcome, shape, { headers: applied(preferences, "handling") });
}

/** Handles `GET /authors/{id}/books` and `GET /books/{id}/author`: one relation of one row. */
export async function handleNested(exchange: Exchange, id: string, relation: RelationModel): Promise<HttpResponse> {
  const { model } = exchange.target;
  const nested = about(exchange, model.resources.get(relation.target) as ResourceModel);
  const headers = applied(exchange.preferences, "handling");
  const tree = readQuery(nested, relation.many ? [...LIST_PARAMETERS, ...AGGREGATE_PARAMETERS] : SHAPE_PARAMETERS);
  if (relation.many && requestsGroups(tree)) return answerNestedGroups(exchange, nested, id, relation, tree);
  const shape = lowerShape(nested, tree);
  if (!relation.many) {
    const { value, outcome } = await readRelated(exchange, nested, id, relation, shape, {});
    const none = nested.format?.none;
    if (value === null && none !== undefined) return respondNone(nested, none, outcome.personal, shape, headers);
    if (value === null)
      throw new BifocalError("NOT_FOUND", `This ${exchange.target.resource.name} has no ${relation.name}.`);
    return respondItem(nested, { row: value as ReadableRow, personal: outcome.personal }, shape, { headers });
  }
  const { page, ...parts } = lowerListParts(nested.target, tree, [], "text");
  const count = lowerCount(nested.target.resource, tree["count"], ["count"]);
  const isPaged = tree["page"] !== undefined;
  const partsAt = (at: Page) => ({ ...parts, page: at, count: countsAt(at, isPaged) ? count : false });
  const read = async (at: Page): Promise<ListAnswer> => {
    const { value, outcome } = await readRelated(exchange, nested, id, relation, shape, partsAt(at));
    return { page: value as RowPage, personal: outcome.personal };
  };
  const emptyCost = (): number =>
    costOf(relatedOperation(exchange, nested, id, relation, shape, partsAt({ size: 0 })).operation, model);
  return respondList(nested, { shape, page, isPaged, isNested: true, read, emptyCost }, headers);
}

/** Handles `GET /authors/{id}/books?aggregate=count`. */
async function answerNestedGroups(
  exchange: Exchange,
  nested: Exchange,
  id: string,
  relation: RelationModel,
  tree: QueryTree,
): Promise<HttpResponse> {
  const { resource } = exchange.target;
  const { condition, aggregation } = lowerAggregateQuery(nested.target, tree, "text");
  const selected = groupsSelection(relation, aggregation, condition);
  const outcome = await run(exchange, {
    kind: "get",
    resource: resource.name,
    key: readKey(resource, id),
    relation: relation.name,
    selection: { fields: [], relations: [selected] },
    named: [],
  });
  if (outcome.kind !== "item") return unexpectedOutcome(outcome);
  const page = outcome.row.related(selected.as) as GroupPage;
  return respondGroups(
    nested,
    aggregation,
    { page, personal: outcome.personal },
    applied(exchange.preferences, "handling"),
  );
}

type RelatedParts = Omit<Parameters<typeof relationSelection>[0], "model" | "relation" | "selection">;

/** Returns the operation that reads one relation of one row, and the relation's name in the result. */
function relatedOperation(
  exchange: Exchange,
  nested: Exchange,
  id: string,
  relation: RelationModel,
  shape: ResponseShape,
  parts: RelatedParts,
): { readonly operation: GetOperation; readonly as: string } {
  const { model, resource } = exchange.target;
  const selected = relationSelection({ model, relation, ...parts, selection: readSelection(nested, shape) });
  return {
    operation: {
      kind: "get",
      resource: resource.name,
      key: readKey(resource, id),
      relation: relation.name,
      selection: { fields: [], relations: [selected] },
      named: shape.named,
    },
    as: selected.as,
  };
}

/** Reads one relation of one row: a row, a page of rows, or `null`. */
export async function readRelated(
  exchange: Exchange,
  nested: Exchange,
  id: string,
  relation: RelationModel,
  shape: ResponseShape,
  parts: RelatedParts,
): Promise<{ value: ReadableRow | RowPage | null; outcome: ItemOutcome }> {
  const { operation, as } = relatedOperation(exchange, nested, id, relation, shape, parts);
  const outcome = await run(exchange, operation);
  if (outcome.kind !== "item") return unexpectedOutcome(outcome);
  return { value: (outcome.row.related(as) ?? null) as ReadableRow | RowPage | null, outcome };
}
