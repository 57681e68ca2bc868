import type { LoweringTarget } from "../lowering/lower-filter.ts";
import type { Limits } from "../limits/limits.ts";
import type { ResourceModel } from "../model/model.ts";
import type { AggregateOperation } from "../operation/operation.ts";
import type { GroupPage } from "../operation/visible-rows.ts";
import { checkNames, lowerLocalCondition } from "./local-options.ts";
import { decoderOf, GROUP_OPTIONS, lowerLocalGroups } from "./local-groups.ts";

type Options = Readonly<Record<string, unknown>>;

/** Lowers the options of a local aggregate. */
export function lowerLocalAggregate(target: LoweringTarget, options: Options, limits: Limits): AggregateOperation {
  checkNames(options, [...GROUP_OPTIONS, "signal"], []);
  const condition = lowerLocalCondition(target, options, limits, []);
  const aggregation = lowerLocalGroups(target.resource, options, limits, []);
  return { kind: "aggregate", resource: target.resource.name, ...condition, ...aggregation };
}

/** Returns a page of groups with decoded values. */
export function toLocalGroups(resource: ResourceModel, operation: AggregateOperation, page: GroupPage): object {
  const { length, total, hasNext, hasPrevious } = page;
  const decode = decoderOf(resource, operation);
  return {
    groups: page.groups.map(decode),
    total,
    hasNext,
    hasPrevious,
    startCursor: length === 0 ? null : page.cursor(0),
    endCursor: length === 0 ? null : page.cursor(length - 1),
  };
}
