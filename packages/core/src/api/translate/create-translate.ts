import type { Operation } from "../../operation/operation.ts";
import { clientCall } from "./client-call.ts";
import { graphqlDocument } from "./graphql-document.ts";
import { NotExpressibleError } from "./not-expressible-error.ts";
import { parseSource } from "./parse-source.ts";
import type { PrintContext } from "./print-context.ts";
import { readSource } from "./read-source.ts";
import { restRequest } from "./rest-request.ts";
import { createStyles, type StyleParts } from "../styles.ts";
import { describeForClients } from "../client-description.ts";
import type { NotExpressible, PrintOperation, Translate, Translation } from "./translation.ts";

/** Prints an operation in each style. */
function translateOperation(context: PrintContext, operation: Operation): Translation {
  return {
    operation,
    rest: attempt(() => restRequest(context, operation)),
    graphql: attempt(() => graphqlDocument(context, operation)),
    client: attempt(() => clientCall(context, operation)),
  };
}

function attempt<Form>(print: () => Form): Form | NotExpressible {
  try {
    return print();
  } catch (thrown) {
    if (thrown instanceof NotExpressibleError) return { reason: thrown.message };
    throw thrown;
  }
}

/** Creates the function that prints operations. It describes the API when it prints the first one. */
export function createPrintOperation(parts: Pick<StyleParts, "model" | "schema" | "settings">): PrintOperation {
  let context: PrintContext | undefined;
  return (operation, options = {}) => {
    context ??= {
      model: parts.model,
      description: describeForClients({
        model: parts.model,
        schema: parts.schema.served,
        settings: parts.settings.graphql,
      }),
      schema: parts.schema.served,
      ids: parts.schema.ids,
    };
    return translateOperation({ ...context, ...options }, operation);
  };
}

/** Creates both styles when the first request is translated. */
export function createTranslate(parts: StyleParts, print: PrintOperation): Translate {
  let styles: ReturnType<typeof createStyles> | undefined;
  return async (source) => {
    const isOperation = typeof source === "object" && "kind" in source;
    const operations = isOperation
      ? [source]
      : await readSource((styles ??= createStyles(withoutEffects(parts))), parseSource(source));
    return operations.map((operation) => print(operation));
  };
}

/** Returns parts whose styles have no rate limit, no telemetry and no idempotency keys. */
function withoutEffects(parts: StyleParts): StyleParts {
  return {
    ...parts,
    telemetry: undefined,
    limiter: undefined,
    runOnce: (run, operation, caller, cost) => run(operation, caller, cost),
    settings: {
      ...parts.settings,
      servesTranslations: false,
      graphql: { ...parts.settings.graphql, persisted: {}, suggestions: true },
    },
  };
}
