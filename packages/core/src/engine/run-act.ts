import { BifocalError } from "../errors/bifocal-error.ts";
import type { ActionModel, Key, ResourceModel, Row } from "../model/model.ts";
import { ALWAYS, andFilters } from "../operation/filter.ts";
import type { ActOperation } from "../operation/operation.ts";
import type { ItemOutcome, NothingOutcome, ResultOutcome } from "../operation/outcome.ts";
import type { Json } from "../util/json.ts";
import { textMistake } from "../model/text-mistake.ts";
import { failsPrecondition } from "./access/caller-version.ts";
import { decide, decideInput, denied, isAlways, refuseNever } from "./access/decide.ts";
import type { OperationContext } from "./operation-context.ts";
import { resourceOf } from "../model/resource-of.ts";
import { storeFilter } from "./read/rewrite-related.ts";
import { createCodeContext } from "./code-context.ts";
import { readVisible } from "./run-get.ts";
import { notFound } from "../lowering/not-found.ts";
import { runApplicationCode } from "./ambient-transaction.ts";
import { invalid } from "./write/checks/check-input.ts";
import { type ItemRights, restoreRow } from "./write/deletion/restore-row.ts";
import { answerReplay } from "./write/idempotency/answer-replay.ts";
import { runByRights } from "./write/idempotency/run-by-rights.ts";
import { stale } from "../operation/preconditions.ts";
import { refusalOfWrite } from "./write/checks/refuse-write.ts";
import { type Hooked, runHook, toItem } from "./write/run-hook.ts";

type Answer = ItemOutcome | NothingOutcome | ResultOutcome;

/** Runs an action. Its reads and writes form one transaction if the store supports transactions. */
export async function runAct(context: OperationContext, operation: ActOperation): Promise<Answer> {
  const resource = resourceOf(context.engine.model, operation.resource);
  const action = resource.actions.get(operation.action) as ActionModel;
  const what = `${action.name} ${action.on === "item" ? `this ${resource.name}` : resource.plural}`;
  const parsed = parseInput(action, operation);
  const input = "value" in parsed ? parsed.value : undefined;
  const seen = typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>) : undefined;
  const decision = await decideInput(context, action.access, resource, seen);
  refuseNever(context, decision, what);
  if ("issues" in parsed) throw invalid(parsed.issues);

  // A filter can't apply to an action on a collection, which has no row.
  if (action.on === "collection" && !isAlways(decision)) throw denied(context, what);
  // Before a replay, which skips the steps.
  const visible = action.on === "item" ? await decide(context, resource.access.read, resource) : ALWAYS;
  refuseNever(context, visible, `read ${resource.plural}`);
  const { value, isReplay, isOther } = await runByRights<Json>(
    action.run === "restore" ? context : { ...context, action: action.name },
    resource,
    operation.idempotency,
    async (inner, events) => {
      if (action.run === "restore") {
        await restoreRow({ context: inner, operation, resource, events }, operation, { visible, decision, what });
        return { value: null };
      }
      const row =
        action.on === "item" ? await readItem(inner, resource, operation, { visible, decision, what }) : undefined;
      return { value: await run({ context: inner, operation, resource, events }, action, action.run, row, input) };
    },
  );
  const { key } = operation;
  if (action.output !== undefined) {
    if (isReplay) await refuseResult(context, resource, key, !isOther);
    return { kind: "result", value };
  }
  if (action.on === "collection" || key === undefined) return { kind: "nothing" };
  return answerReplay(context, resource, key, operation.selection, { isOther });
}

/**
 * Rejects the replay of an action's result if the caller's rights have changed since, or if it can't see the row any
 * more. Access rules can't filter the result itself.
 */
async function refuseResult(
  context: OperationContext,
  resource: ResourceModel,
  key: Key | undefined,
  isSame: boolean,
): Promise<void> {
  if (key !== undefined && (await readVisible(context, resource, key)) === undefined) throw notFound(resource);
  if (isSame) return;
  const message = "This idempotency key was used by a caller with other permissions. Use a new key.";
  throw new BifocalError("VALIDATION_FAILED", message);
}

/** Runs the action between its hooks and returns its result in wire form. */
async function run(
  hooked: Hooked,
  action: ActionModel,
  code: Exclude<ActionModel["run"], "restore">,
  row: Row | undefined,
  input: unknown,
): Promise<Json> {
  const { resource } = hooked;
  const item = row && toItem(resource, row);
  await runHook(hooked, "act", "before", { item, input });
  const context = createCodeContext(hooked.context, resource, hooked.events, { item, input });
  const result = await runApplicationCode(hooked.context, hooked.events, () => code(context));
  await runHook(hooked, "act", "after", { item, result });
  return action.output === undefined ? null : action.output.toWire(result);
}

function parseInput(
  { input, name }: ActionModel,
  operation: ActOperation,
): ReturnType<NonNullable<ActionModel["input"]>["parse"]> {
  if (input !== undefined) {
    const mistake = textMistake(operation.input);
    if (mistake === undefined) return input.parse(operation.input, operation.form);
    return { issues: [{ path: [], message: `The input of action '${name}' ${mistake}.`, code: "invalid_text" }] };
  }
  if (operation.input === undefined || operation.input === null) return { value: undefined };
  return { issues: [{ path: [], message: `The action '${name}' takes no input.`, code: "unrecognized_key" }] };
}

async function readItem(
  context: OperationContext,
  resource: ResourceModel,
  { key, ifMatch, ifNoneMatch }: ActOperation,
  { visible, decision, what }: ItemRights,
): Promise<Row> {
  if (key === undefined) throw notFound(resource);
  const filter = await storeFilter(context, resource, andFilters(visible, decision));
  const [row] = await context.storeOf(resource.name).byKeys({ resource, keys: [key], filter }, context.deadline);
  if (row === undefined) throw await refusalOfWrite(context, resource, key, "absent", what);
  if (await failsPrecondition(context, resource, row, ifMatch, ifNoneMatch)) throw stale(resource);
  return row;
}
