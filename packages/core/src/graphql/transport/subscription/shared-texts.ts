import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { Change } from "../../../operation/outcome.ts";
import { canonicalJson } from "../../../util/canonical-json.ts";
import type { Json } from "../../../util/json.ts";
import { catchMaybePromise, mapMaybePromise, type MaybePromise } from "../../../util/maybe-promise.ts";
import type { Caller } from "../../../operation/run.ts";
import { toGraphQLError } from "../../graphql-error.ts";
import { CONTEXT_KEY, type ExecutionContext } from "../../context.ts";
import { type Extensions, extensionsOf, withExtensions } from "../../meter.ts";
import type { PreparedOperation, Unprepared } from "../prepare.ts";
import { type Answering, formatResult } from "../serialize-result.ts";
import { type CompiledSubscription, compileSubscription } from "./compile-subscription.ts";
import { type OpenedSource, splitSubscription, type Subscription } from "./source.ts";
import { readerOf } from "../../reader.ts";

/** The text of the result of one event. */
export type FormatEvent = (event: object) => MaybePromise<string>;

/** A subscription that several clients share, with the same document, operation and variables. */
export interface SharedSubscription {
  readonly open: (context: ExecutionContext) => Promise<OpenedSource>;
  /**
   * Returns the formatter for a subscriber. Results that depend only on the change are created once and shared by the
   * subscribers that see the same rows.
   */
  readonly formatFor: (context: ExecutionContext) => FormatEvent;
  /** Each user must call this exactly once. */
  readonly release: () => void;
}

/** Shares subscriptions while they are in use. */
export type ShareSubscription = (prepared: PreparedOperation) => SharedSubscription | Unprepared;

interface Entry {
  readonly shared: SharedSubscription;
  users: number;
}

export function createSharedTexts(schema: GraphQLSchema, answering: Answering): ShareSubscription {
  const known = new WeakMap<DocumentNode, Map<string, Entry>>();
  return (prepared) => {
    const { document, operationName, variables, compiled: operation } = prepared;
    const key = canonicalJson([operationName, variables as Json]);
    const ofDocument = known.get(document) ?? new Map<string, Entry>();
    known.set(document, ofDocument);
    const before = ofDocument.get(key);
    if (before !== undefined) {
      before.users++;
      return before.shared;
    }
    // Coerce the variables here, so that errors have the same messages and limits as in other operations.
    const { errors } = operation.coerce(variables ?? {});
    if (errors !== undefined) return { errors };
    const subscription = splitSubscription({ schema, document, operationName, variableValues: variables });
    if ("errors" in subscription) return subscription;
    const release = (): void => {
      if (--entry.users === 0) ofDocument.delete(key);
    };
    const derived = isDerived(schema, document);
    const compiled = derived ? compileSubscription(prepared) : undefined;
    const formatFor = derived ? shareFormat(subscription, answering, compiled) : ownFormat(subscription, answering);
    const open = (context: ExecutionContext): Promise<OpenedSource> => openSource(subscription, compiled, context);
    const entry: Entry = { shared: { open, formatFor, release }, users: 1 };
    ofDocument.set(key, entry);
    return entry.shared;
  };
}

/** Opens the source with the engine, or with graphql-js if the subscription is not compiled. */
async function openSource(
  { open }: Subscription,
  compiled: CompiledSubscription | undefined,
  context: ExecutionContext,
): Promise<OpenedSource> {
  if (compiled === undefined) return open({ [CONTEXT_KEY]: context });
  const outcome = await context.run(compiled.operation, context.caller);
  if (outcome.kind === "stream") return outcome.changes;
  return { errors: outcome.kind === "failure" ? [compiled.locate(outcome.error)] : [] };
}

/** The text does not depend on the caller, so it is cached with its event. */
function shareFormat(
  subscription: Subscription,
  answering: Answering,
  compiled: CompiledSubscription | undefined,
): SharedSubscription["formatFor"] {
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

function ownFormat(subscription: Subscription, answering: Answering): SharedSubscription["formatFor"] {
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
 * Adds the id of the event, after which a client can resume. Initial rows and events of a host's own fields have none.
 */
function withEvent(added: Extensions, event: object): Extensions {
  const { kind, id } = (event ?? {}) as Partial<Record<"kind" | "id", unknown>>;
  const isOurs = typeof id === "string" && (kind === "reset" || kind === "left" || ("row" in event && "key" in event));
  return isOurs ? { ...added, eventId: id } : added;
}

/**
 * Returns whether every field of a document only reads data that its source already holds. A host's resolver may depend
 * on the caller, so its result cannot be shared.
 */
function isDerived(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let derived = true;
  const look = {
    Field: ({ name }: { readonly name: { readonly value: string } }) => {
      if (name.value !== "__typename" && readerOf(types.getFieldDef()?.resolve) === undefined) derived = false;
    },
  };
  visit(document, visitWithTypeInfo(types, look));
  return derived;
}
