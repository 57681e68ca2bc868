import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { canonicalJson } from "../../../util/canonical-json.ts";
import type { Json } from "../../../util/json.ts";
import { CONTEXT_KEY, type ExecutionContext } from "../../context.ts";
import type { PreparedOperation, Unprepared } from "../prepare.ts";
import type { Answering } from "../serialize-result.ts";
import {
  type CompiledSubscription,
  compileSubscription,
  type FormatFor,
  ownFormat,
  shareFormat,
} from "./format-event.ts";
import { type OpenedSource, splitSubscription, type Subscription } from "./source.ts";
import { readerOf } from "../../reader.ts";

/** A subscription that several clients share, with the same document, operation and variables. */
export interface SharedSubscription {
  readonly open: (context: ExecutionContext) => Promise<OpenedSource>;
  /** Results that depend only on the change are created once and shared by the subscribers that see the same rows. */
  readonly formatFor: FormatFor;
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
