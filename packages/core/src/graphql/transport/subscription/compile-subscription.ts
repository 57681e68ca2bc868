import { GraphQLError } from "graphql";
import type { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Operation } from "../../../operation/operation.ts";
import type { Change } from "../../../operation/outcome.ts";
import { unlessUnsure } from "../../compile/compile-root.ts";
import { toGraphQLError } from "../../graphql-error.ts";
import { joinResults } from "../../execute/result.ts";
import type { Extensions } from "../../meter.ts";
import type { Prepared } from "../prepare.ts";

/** A subscription without graphql-js: the one operation of all who subscribe to it, and the text of a change. */
export interface CompiledSubscription {
  readonly operation: Operation;
  /** Undefined where graphql-js has to make it: something is denied, or the change is none. */
  readonly write: (change: Change, extensions: Extensions) => string | undefined;
  /** An error of the operation, at its place in the document. */
  readonly locate: (error: BifocalError) => GraphQLError;
}

/** Undefined where it cannot be compiled, or is refused: then graphql-js says in its words why. */
export function compileSubscription({ compiled, variables: given }: Prepared): CompiledSubscription | undefined {
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
