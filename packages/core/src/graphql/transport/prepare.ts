import { type DocumentNode, GraphQLError, type OperationTypeNode } from "graphql";
import type { CompiledOperation } from "../compile/compile-operation.ts";
import type { CheckDocument } from "./create-document-cache.ts";
import { checkParameters, type ParameterRules } from "./parameters.ts";

/** An operation of a validated document, ready for execution. */
export interface PreparedOperation {
  readonly kind: OperationTypeNode;
  readonly compiled: CompiledOperation;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** The errors of a request that cannot be executed. */
export interface Unprepared {
  readonly errors: readonly GraphQLError[];
}

export interface PrepareRules extends ParameterRules {
  readonly checkDocument: CheckDocument;
}

/**
 * Finds the operation of a request, or returns the errors of its document. Throws BAD_REQUEST for an invalid request.
 */
export function prepare(given: unknown, rules: PrepareRules): PreparedOperation | Unprepared {
  try {
    const { query, operationName, variables = null, extensions = {} } = checkParameters(given, rules);
    const { operation, errors } = rules.checkDocument(query);
    if (errors !== undefined) return { errors };
    const compiled = operation(operationName);
    if (compiled !== undefined) {
      const kind = compiled.operation.operation;
      const { document } = compiled;
      return { kind, compiled, document, operationName: operationName ?? null, variables, extensions };
    }
    return {
      errors: [new GraphQLError("The operation was not found in the document, or 'operationName' is missing.")],
    };
  } catch (thrown) {
    if (thrown instanceof GraphQLError) return { errors: [thrown] };
    throw thrown;
  }
}
