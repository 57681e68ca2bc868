import {
  type DocumentNode,
  execute as executeWhole,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  Kind,
} from "graphql";
import type { Outcome } from "../../operation/outcome.ts";
import { mapMaybePromise, type MaybePromise } from "../../util/maybe-promise.ts";
import type { PlanSource, RootPlan } from "../compile/plan.ts";
import { CONTEXT_KEY } from "../context.ts";
import { INCREMENTAL } from "../incremental/graphql-js.ts";
import type { Execution } from "./execution.ts";
import { extensionsOf } from "../meter.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { formatError } from "./format-error.ts";
import { failed, limitErrors, refusedResult, type ResultText, type RootResult } from "./result.ts";

/** `execute` of graphql-js rejects schemas with `@defer`, even for documents that do not use it. */
function execute(args: ExecutionArgs): MaybePromise<ExecutionResult> {
  if (INCREMENTAL === undefined || !args.schema.getDirective("defer")) return executeWhole(args);
  return mapMaybePromise(INCREMENTAL.execute["v0.2"](args), (result) => result as ExecutionResult);
}

const DOCUMENTS = new WeakMap<RootPlan, DocumentNode>();

/** Executes one root field with graphql-js. With an `outcome`, graphql-js only shapes what the engine returned. */
export function executeRoot(execution: Execution, plan: RootPlan, outcome?: Outcome): MaybePromise<RootResult> {
  const { source, inputs, context, settings, denials } = execution;
  let document = DOCUMENTS.get(plan);
  if (document === undefined) {
    document = documentOf(source, plan.nodes);
    DOCUMENTS.set(plan, document);
  }
  const own = { ...context, denials };
  const known = outcome === undefined ? own : { ...own, outcomes: new Map([[plan.key, outcome]]) };
  const contextValue = { [CONTEXT_KEY]: known };
  const executing = execute({ schema: source.schema, document, variableValues: { ...inputs }, contextValue });
  return mapMaybePromise(executing, ({ data, errors }) => {
    const isFatal = data === null || data === undefined;
    let text = "null";
    try {
      if (!isFatal) text = JSON.stringify(data[plan.key]);
    } catch (thrown) {
      // A scalar of the host produced a value that is not JSON.
      return failed(settings, plan, settings.mask(thrown, context.caller));
    }
    const result = { text, isFatal };
    return errors === undefined
      ? result
      : { ...result, errors: errors.map((error) => formatError(error, "INTERNAL", settings)) };
  });
}

/** Returns the operation with only these fields at its root. */
function documentOf({ operation, fragments }: PlanSource, selections: readonly FieldNode[]): DocumentNode {
  const definitions = Object.values(fragments).filter((fragment) => fragment !== undefined);
  const own = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  return { kind: Kind.DOCUMENT, definitions: [own, ...definitions] };
}

/** Executes a whole operation with graphql-js. */
export function executeAll(execution: Execution): MaybePromise<ResultText> {
  const { source, compiled, inputs, context, denials } = execution;
  const { schema, operation } = source;
  const executing = execute({
    schema,
    document: compiled.document,
    operationName: operation.name?.value ?? null,
    variableValues: { ...inputs },
    contextValue: { [CONTEXT_KEY]: { ...context, denials } },
  });
  return mapMaybePromise(executing, (result) => writeResult(result, execution));
}

export function writeResult(
  { data, errors = [] }: ExecutionResult,
  { context, settings, denials }: Execution,
): ResultText {
  if (data === undefined) return refusedResult(errors, settings);
  const formatted = limitErrors(
    errors.map((error) => formatError(error, "INTERNAL", settings)),
    denials,
  );
  const found = extensionsOf(context);
  const extensions = Object.keys(found).length === 0 ? undefined : found;
  const errorEntry = formatted.length === 0 ? {} : { errors: formatted };
  try {
    return { text: JSON.stringify({ ...errorEntry, data, extensions }), isRefused: false, ...errorEntry };
  } catch (thrown) {
    const only = { errors: [formatError(toGraphQLError(settings.mask(thrown, context.caller)), "INTERNAL", settings)] };
    return { text: JSON.stringify({ ...only, data: null, extensions }), isRefused: false, ...only };
  }
}
