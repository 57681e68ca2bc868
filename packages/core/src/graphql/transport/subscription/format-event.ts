import { type ExecutionResult, GraphQLError } from "graphql";
import type { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Operation } from "../../../operation/operation.ts";
import type { Change } from "../../../operation/outcome.ts";
import type { Caller } from "../../../operation/run.ts";
import { catchMaybePromise, mapMaybePromise, type MaybePromise } from "../../../util/maybe-promise.ts";
import { unlessUnsure } from "../../compile/compile-root.ts";
import { CONTEXT_KEY, type ExecutionContext } from "../../context.ts";
import { joinResults } from "../../execute/result.ts";
import { toGraphQLError } from "../../graphql-error.ts";
import { type Extensions, extensionsOf, withExtensions } from "../../meter.ts";
import type { PreparedOperation } from "../prepare.ts";
import { type Answering, formatResult } from "../serialize-result.ts";
import type { Subscription } from "./source.ts";

/** The text of the result of one event. */
export type FormatEvent = (event: object) => MaybePromise<string>;

/** Returns the formatter for a subscriber. */
export type FormatFor = (context: ExecutionContext) => FormatEvent;

/**
 * A subscription that runs without graphql-js: the operation that all its subscribers share, and the text of a change.
 */
export interface CompiledSubscription {
  readonly operation: Operation;
  /** Returns undefined if graphql-js has to create the text: a value is denied, or the change has no row. */
  readonly write: (change: Change, extensions: Extensions) => string | undefined;
  /** Adds the location in the document to an error of the operation. */
  readonly locate: (error: BifocalError) => GraphQLError;
}

/** Returns undefined if the subscription cannot be compiled or is invalid. graphql-js then reports the error. */
export function compileSubscription({
  compiled,
  variables: given,
}: PreparedOperation): CompiledSubscription | undefined {
  const { variables, errors } = compiled.coerce(given ?? {});
  if (errors !== undefined) return undefined;
  const { roots = [] } = compiled.planFor(variables) ?? {};
  const [plan] = roots;
  const write = plan?.compiled?.write;
  if (plan?.compiled === undefined || plan.shapeOf === undefined || write === undefined || roots.length !== 1) {
    return undefined;
  }
  const { argumentsOf } = plan.compiled;
  try {
    const args = argumentsOf(variables);
    const { lower, places } = plan.shapeOf(variables);
    const operation = lower(args);
    if (operation === undefined) return undefined;
    return {
      operation,
      write: (change, extensions) => {
        const text = unlessUnsure(() => write(change, args, places));
        return text === undefined ? undefined : joinResults(roots, [{ text }], extensions).text;
      },
      locate: (error) => {
        const { message, extensions } = toGraphQLError(error);
        return new GraphQLError(message, { nodes: plan.nodes, path: [plan.key], originalError: error, extensions });
      },
    };
  } catch {
    return undefined;
  }
}

/** The text does not depend on the caller, so it is cached with its event. */
export function shareFormat(
  subscription: Subscription,
  answering: Answering,
  compiled: CompiledSubscription | undefined,
): FormatFor {
  const texts = new WeakMap<object, MaybePromise<string>>();
  let format: FormatEvent | undefined;
  return (context) => {
    // The cost is the same for all subscribers, because they share one operation.
    const added = extensionsOf(context);
    format ??= (event) => {
      const before = texts.get(event);
      if (before !== undefined) return before;
      const extensions = withEvent(added, event);
      const write = (result: ExecutionResult): string => writeResult(result, extensions, answering);
      const text = written(
        () =>
          compiled?.write(event as Change, extensions) ??
          mapMaybePromise(subscription.execute(event, undefined), write),
        answering,
      );
      texts.set(event, text);
      return text;
    };
    return format;
  };
}

export function ownFormat(subscription: Subscription, answering: Answering): FormatFor {
  return (context) => (event) => {
    const write = (result: ExecutionResult): string =>
      writeResult(result, withEvent(extensionsOf(context), event), answering);
    // A host may keep state in the context of an execution, so each event gets its own context.
    const execute = (): MaybePromise<string> =>
      mapMaybePromise(subscription.execute(event, { [CONTEXT_KEY]: context }), write);
    return written(execute, answering, context.caller);
  };
}

/** If a value of the host is not valid JSON, only this event becomes an error. */
function written(write: () => MaybePromise<string>, answering: Answering, caller?: Caller): MaybePromise<string> {
  return catchMaybePromise(write, (thrown) => {
    const error = toGraphQLError(answering.mask(thrown, caller));
    return JSON.stringify(formatResult({ errors: [error], data: null }, answering));
  });
}

function writeResult(result: ExecutionResult, added: Extensions, answering: Answering): string {
  return JSON.stringify(formatResult(withExtensions(result, added), answering));
}

/**
 * Adds the kind of the event, and its id, after which a client can resume. Initial rows have no id, and events of a
 * host's own fields have neither.
 */
function withEvent(added: Extensions, event: object): Extensions {
  const { kind, id } = (event ?? {}) as Partial<Change> & { readonly id?: unknown };
  if (kind === "reset" || kind === "left") return typeof id === "string" ? { ...added, eventId: id, kind } : added;
  if (kind === undefined || !("row" in event && "key" in event)) return added;
  if (kind === "current") return { ...added, kind };
  return typeof id === "string" ? { ...added, eventId: id, kind } : added;
}
