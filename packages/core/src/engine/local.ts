import { randomUUID } from "node:crypto";
import type { Principal } from "../definition/principal.ts";
import { BifocalError } from "../errors/bifocal-error.ts";
import type { ActionModel, Key, Model, ResourceModel } from "../model/model.ts";
import { lowerKey } from "../operation/key.ts";
import type { Limits } from "../operation/limits.ts";
import { lowerFilter } from "../operation/lower-filter.ts";
import { checkNames, lowerListParts, lowerSelect } from "../operation/lower-select.ts";
import { wholeSelection } from "../operation/lower-selection.ts";
import type { ChangeKind, Operation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import { isPlainObject, refuse } from "../operation/refuse.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { Selection } from "../operation/selection.ts";
import { type Decode, decoderOf } from "./local-decode.ts";
import { watchChanges } from "./local-watch.ts";

type Options = Readonly<Record<string, unknown>>;

/** `LocalResource` without its types; `Local<…>` in definition/local.ts puts them on. */
export type UntypedLocal = Readonly<Record<string, unknown>>;

/** Local calls: for each principal an object of all resources, whose methods run operations like any request. */
export function createLocal(
  model: Model,
  run: Run,
  limits: Limits,
): (principal: Principal | null) => Readonly<Record<string, UntypedLocal>> {
  return (principal) => {
    const resources: [string, UntypedLocal][] = [];
    for (const resource of model.resources.values())
      resources.push([resource.name, localResource({ model, run, limits, principal, resource })]);
    return Object.freeze(Object.fromEntries(resources));
  };
}
