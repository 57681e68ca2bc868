import type { Change } from "../../../operation/outcome.ts";
import { unlessUnsure } from "../../compile/compile-root.ts";
import { joinResults } from "../../execute/result.ts";
import type { Prepared } from "../prepare.ts";

/** The text of the result of one change; undefined where graphql-js has to make it. */
export type WriteChange = (change: Change, cost: number | undefined) => string | undefined;

/** Compiles a subscription to what writes its results. Undefined where it cannot be compiled. */
export function compileChange({ compiled, variables: given }: Prepared): WriteChange | undefined {
  const { variables, errors } = compiled.coerce(given ?? {});
  if (errors !== undefined) return undefined;
  const { roots = [] } = compiled.planFor(variables) ?? {};
  const [root] = roots;
  const write = root?.compiled?.write;
  if (root?.compiled === undefined || write === undefined || roots.length !== 1) return undefined;
  const { argumentsOf } = root.compiled;
  const fixed = unlessUnsure(() => ({ args: argumentsOf(variables), places: root.shapeOf?.(variables).places ?? [] }));
  if (fixed === undefined) return undefined;
  return (change, cost) => {
    // A row of which something is denied, and a change that is none, are not the compiled writer's.
    const text = unlessUnsure(() => write(change, fixed.args, fixed.places));
    return text === undefined ? undefined : joinResults(roots, [{ text }], cost).text;
  };
}
