import type { ClientRelation } from "@bifocal/core";
import { BifocalError } from "../client-error.ts";
import { resourceNamed } from "../description.ts";
import type { Call, Lens, Page, Result, Row } from "../lens.ts";
import { loadPart } from "../load-part.ts";
import type { Transport } from "../transport.ts";
import { mapValues } from "../map-values.ts";
import { isPlainObject } from "../plain-object.ts";
import { quoteVersion } from "../versions.ts";
import { type Arguments, createArguments } from "./document.ts";
import { toListArguments } from "./input.ts";
import { readResponse, type ResponseBody } from "./response.ts";
import { type Aggregates, writeSelection } from "./selection.ts";
import { sendDocument } from "./send-document.ts";

export interface GraphqlLensOptions {
  /**
   * Called with the text of each document and its id, before it is sent: for the manifest of a server that only accepts
   * known documents.
   */
  readonly onDocument?: (id: string, text: string) => void;
}

const READS = /^(?:get|list|aggregate|history|query)$/;

/** Sends calls as GraphQL documents. */
export function graphqlLens(options: GraphqlLensOptions = {}): Lens<"graphql"> {
  return {
    style: "graphql",
    watchPart: async () => loadPart(import("../rest/watch-search.ts")),
    async run(call, transport: Transport) {
      const { operation, resource, description, own, member = "" } = call;
      const { relations, graphql, name } = resource;
      const root = own ? own.graphql : (relations[member]?.[operation as "link"] ?? graphql[operation]);
      if (!root) throw new BifocalError("METHOD_NOT_ALLOWED", `GraphQL doesn't offer '${operation}' for '${name}'.`);
      const { globalIds, statuses } = description.graphql;
      if (globalIds) throw new BifocalError("BAD_REQUEST", "Global ids need restLens().");
      const isWrite = !READS.test(operation);
      const aggregates = call.groups && (await loadPart(import("./aggregate.ts")));
      const { field, args: types, select } = root;
      const args = createArguments();
      const written = field + args.write(name, types, await argumentsOf(call, types, aggregates));
      const document = args.finish(
        isWrite ? "mutation" : "query",
        `${written} ${select ?? selectionOf(call, args, aggregates)}`,
      );
      return sendDocument(transport, call, { document, isWrite, ...options }, async (reply) => {
        const value = await readResponse(reply, field, statuses);
        if (value === null && !isWrite && !(own && "isNullable" in own)) {
          throw new BifocalError("NOT_FOUND", "This row doesn't exist.", { status: 404 });
        }
        const { extensions } = reply.body as ResponseBody;
        return select === undefined ? resultOf(call, value, extensions?.version) : own ? { value } : (value as Result);
      });
    },
  };
}

/** Converts an input. Without lists, objects and unions it is the same as in REST. */
async function inputOf({ operation, resource, description, input, own }: Call): Promise<unknown> {
  const isNested = own ? own.input : Object.values(input ?? {}).some((value) => typeof value === "object");
  if (!isNested) return input;
  const { toInput, toValue } = await loadPart(import("./nested-input.ts"));
  const of = { description, mapValues, isPlainObject };
  return own ? toValue(of, own.input, input) : toInput(of, resource, input, operation.startsWith("update"));
}

async function argumentsOf(
  call: Call,
  types: Readonly<Record<string, string>>,
  aggregates: Aggregates | undefined,
): Promise<Row> {
  const { operation, resource, description, options, id, target, versions } = call;
  const value = await inputOf(call);
  return {
    id,
    ...(operation === "query" ? (value as Row | undefined) : { input: value }),
    // Entries of a history belong to a relation of the row.
    ...(operation === "history" ? {} : toListArguments(description, resource, options)),
    ...(operation === "aggregate" && aggregates?.aggregateArguments(resource, options)),
    deleted: options.deleted?.toUpperCase(),
    ifMatch: versions?.map(quoteVersion).join(", "),
    // The first argument of a link is the id of the row.
    ...(target && { [Object.keys(types)[1] as string]: target }),
  };
}

function selectionOf(
  { operation, description, resource, options }: Call,
  args: Arguments,
  aggregates: Aggregates | undefined,
): string {
  const { count, select } = options;
  const paged = (node: string): string => {
    const counted =
      count === "exact" ? "total: exactTotalCount" : count ? "total: totalCount totalIsExact: totalCountIsExact" : "";
    const total = operation === "aggregate" ? "total: totalCount" : counted;
    return `{ nodes ${node} pageInfo { hasNext: hasNextPage hasPrevious: hasPreviousPage startCursor endCursor } ${total} }`;
  };
  if (operation === "history") {
    const { to, args: types } = resource.relations[operation] as ClientRelation;
    const entry = resourceNamed(description, to);
    const written = args.write(`${resource.name}.history`, types, toListArguments(description, entry, options));
    return `{ history${written} ${paged(writeSelection(description, entry, undefined, args))} }`;
  }
  if (aggregates && operation === "aggregate")
    return paged(aggregates.aggregateSelection(description, resource, options));
  const row = writeSelection(description, resource, select, args, aggregates);
  return operation === "list" || operation === "query" ? paged(row) : row;
}

interface Connection extends Pick<Page, "total" | "totalIsExact"> {
  readonly nodes: readonly Row[];
  readonly pageInfo: Pick<Page, "hasNext" | "hasPrevious" | "startCursor" | "endCursor">;
}

function resultOf({ operation, options }: Call, value: unknown, version: string | undefined): Result {
  if (operation === "createMany") return { rows: value as readonly (Row | null)[] };
  if (operation === "get" || !READS.test(operation)) return { row: value as Row | null, version };
  const page = operation === "history" ? (value as Row)["history"] : value;
  const { nodes: items, pageInfo, ...totals } = page as Connection;
  return { page: { items, ...(options.count === "exact" && { totalIsExact: true }), ...totals, ...pageInfo } };
}
