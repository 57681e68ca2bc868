import type { DocumentNode, GraphQLResolveInfo } from "graphql";
import type { PlanSource } from "../compile/plan.ts";
import { CONTEXT_KEY } from "../context.ts";
import { type DeferredApi, DeferredReads } from "../incremental/deferred-reads.ts";
import { INCREMENTAL, type PartFormat } from "../incremental/graphql-js.ts";
import { type Document, documentOf } from "../lower/document.ts";
import type { Execution } from "./execution.ts";
import { createFormatPayload, Parts } from "./parts.ts";
import type { ResultText } from "./result.ts";
import { writeResult } from "./with-graphql-js.ts";
import { exactVariables } from "../compile/exact-variables.ts";
import { initialCount, isDeferred } from "../incremental/directives.ts";
import { createSameFields } from "../incremental/same-fields.ts";

/** Input for the incremental execution of a document. */
export interface InParts {
  readonly api: DeferredApi;
  readonly format: PartFormat;
  readonly source: PlanSource & { readonly document: DocumentNode };
  readonly document: Document;
}

/** Executes a document incrementally with graphql-js. Deferred parts are read by further operations. */
export async function executeInParts(execution: Execution, inParts: InParts): Promise<ResultText> {
  const { inputs, context, settings, denials } = execution;
  const { api, format, source, document } = inParts;
  if (INCREMENTAL === undefined) throw new Error("This version of graphql doesn't support incremental delivery.");
  const late = new DeferredReads(api, context, document, source.operation);
  const executed = await INCREMENTAL.execute[format]({
    schema: source.schema,
    document: source.document,
    operationName: source.operation.name?.value ?? null,
    variableValues: { ...inputs },
    contextValue: { [CONTEXT_KEY]: { ...context, denials, late } },
  });
  if (!("initialResult" in executed)) return writeResult(executed, execution);
  const formatPayload = createFormatPayload(settings, denials);
  const first = formatPayload(executed.initialResult);
  const parts = new Parts(executed.subsequentResults, late, (payload) => {
    // The cost is known with the last payload.
    const cost = payload.hasNext ? undefined : context.cost?.();
    return JSON.stringify({
      ...formatPayload(payload),
      ...(cost === undefined ? {} : { extensions: { cost } }),
    });
  });
  const { errors } = first;
  return { text: JSON.stringify(first), isRefused: false, ...(errors === undefined ? {} : { errors }), parts };
}

/** Creates the document of one execution with its deferred parts. Its variables must be valid. */
export function partDocument(
  { schema, operation, fragments }: PlanSource,
  inputs: Readonly<Record<string, unknown>>,
): Document {
  const found = exactVariables(schema, operation.variableDefinitions, inputs);
  if (found.errors !== undefined) throw found.errors[0];
  const { variableValues } = found;
  const document = documentOf({ schema, fragments: fragments as GraphQLResolveInfo["fragments"], variableValues });
  return {
    ...document,
    parts: {
      isDeferred: (node) => isDeferred(node, variableValues),
      initialCount: (node) => initialCount(node, variableValues),
      sameFields: createSameFields(document, operation),
    },
  };
}
