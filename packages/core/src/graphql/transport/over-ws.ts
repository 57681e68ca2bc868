import { execute, type ExecutionArgs, type ExecutionResult, getOperationAST, GraphQLError, subscribe } from "graphql";
import type { Context, ServerOptions } from "graphql-ws";
import type { Principal } from "../../definition/principal.ts";
import { isBifocalError } from "../../errors/bifocal-error.ts";
import { createCaller } from "../../operation/create-caller.ts";
import type { Run } from "../../operation/run.ts";
import { CONTEXT_KEY, contextOf } from "../context.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { type Meter, withCost } from "../meter.ts";
import type { OverHttpOptions } from "./over-http.ts";
import { observeExecution } from "./observe-execution.ts";
import { checkParameters, type Parameters } from "./parameters.ts";
import { formatError, formatResult } from "./serialize-result.ts";

export type WsServerOptions = ServerOptions<Record<string, unknown>, unknown>;
type WsContext = Context<Record<string, unknown>, unknown>;

/** What the transport needs of the one who accepts sockets. */
export interface WsConnection {
  readonly run: Run;
  /** Once a connection, from the payload of `connection_init` and whatever was given to `opened` as `extra`. */
  readonly authenticate: (connection: {
    readonly params: Readonly<Record<string, unknown>> | undefined;
    readonly extra: unknown;
  }) => Principal | null | Promise<Principal | null>;
}

interface Session {
  readonly principal: Principal | null;
  /** One for each running operation, aborted when it is over or the socket has gone. */
  readonly running: Map<string, AbortController>;
}

/** The `graphql-transport-ws` protocol, as options of graphql-ws. A wrong credential closes the socket with 4403. */
export function createWsOptions(options: OverHttpOptions & WsConnection & { readonly meter: Meter }): WsServerOptions {
  const sessions = new WeakMap<WsContext, Session>();

  return {
    execute: observeExecution(options.telemetry, execute),
    subscribe: observeExecution(
      options.telemetry,
      (args) => subscribe(args) as Promise<AsyncGenerator<ExecutionResult> | ExecutionResult>,
    ),
    onConnect: async (socket) => {
      try {
        const { connectionParams: params, extra } = socket;
        sessions.set(socket, { principal: await options.authenticate({ params, extra }), running: new Map() });
        return true;
      } catch (thrown) {
        if (isBifocalError(thrown) && thrown.code === "UNAUTHENTICATED") return false;
        throw thrown;
      }
    },
    onSubscribe: (socket, id, payload) => {
      const session = sessions.get(socket);
      return session === undefined
        ? [new GraphQLError("The connection has no caller.")]
        : prepare(session, id, payload);
    },
    onNext: (_socket, _id, _payload, args, result) =>
      formatResult(withCost(result as ExecutionResult, contextOf(args.contextValue)), options.answering),
    onError: (_socket, _id, _payload, errors) =>
      errors.map((error) => formatError(error, "BAD_REQUEST", options.answering)),
    onComplete: (socket, id) => {
      const running = sessions.get(socket)?.running;
      running?.get(id)?.abort();
      running?.delete(id);
    },
    onClose: (socket) => {
      for (const controller of sessions.get(socket)?.running.values() ?? []) controller.abort();
    },
  };

  function prepare(session: Session, id: string, payload: unknown): ExecutionArgs | readonly GraphQLError[] {
    let parameters: Parameters;
    try {
      parameters = checkParameters(payload, options);
    } catch (thrown) {
      if (thrown instanceof GraphQLError) return [thrown];
      if (isBifocalError(thrown)) return [toGraphQLError(thrown)];
      throw thrown;
    }
    const { query, operationName, variables, extensions: carrier = {} } = parameters;
    const checked = options.checkDocument(query);
    if (checked.errors !== undefined) return checked.errors;
    if (!getOperationAST(checked.document, operationName)) {
      return [new GraphQLError("The document has no such operation, or more than one.")];
    }
    const controller = new AbortController();
    session.running.set(id, controller);
    const caller = createCaller(session.principal, controller.signal);
    const context = options.meter({ run: options.run, caller, carrier });
    const names = { operationName: operationName ?? null, variableValues: variables ?? null };
    return { schema: options.schema, document: checked.document, ...names, contextValue: { [CONTEXT_KEY]: context } };
  }
}
