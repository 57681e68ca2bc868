import { GraphQLError } from "graphql";
import type { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Operation } from "../../../operation/operation.ts";
import type { Change } from "../../../operation/outcome.ts";
import { unlessUnsure } from "../../compile/compile-root.ts";
import { toGraphQLError } from "../../graphql-error.ts";
import { joinResults } from "../../execute/result.ts";
import type { Extensions } from "../../meter.ts";
import type { PreparedOperation } from "../prepare.ts";

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
  const { root, argumentsOf } = plan.compiled;
  try {
    const args = argumentsOf(variables);
    const { selected, places } = plan.shapeOf(variables);
    const operation = root.lower(args, selected);
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
