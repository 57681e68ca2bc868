import type { ClientRelation } from "@bifocal/core";
import { BifocalError } from "../client-error.ts";
import { resourceNamed } from "../description.ts";
import type { Call, Lens, Result, Row } from "../lens.ts";
import type { Transport } from "../transport.ts";
import { quoteVersion } from "../versions.ts";
import { aggregateSelection } from "./aggregate.ts";
import { createArguments } from "./document.ts";
import { toInput, toListArguments, toValue } from "./input.ts";
import { readResponse, type ResponseBody } from "./response.ts";
import { writeSelection } from "./selection.ts";
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
    async run(call, transport: Transport) {
      const { operation, resource, description, own, member = "" } = call;
      const { relations, graphql, name } = resource;
      const root = own ? own.graphql : (relations[member]?.[operation as "link"] ?? graphql[operation]);
      if (!root) throw new BifocalError("METHOD_NOT_ALLOWED", `GraphQL doesn't offer '${operation}' for '${name}'.`);
      const { globalIds, statuses } = description.graphql;
      if (globalIds) throw new BifocalError("BAD_REQUEST", "Global ids need restLens().");
      const isWrite = !READS.test(operation);
      const { field, args: types, select } = root;
      const args = createArguments();
      const written = field + args.write(name, types, argumentsOf(call, types));
      const document = args.finish(isWrite ? "mutation" : "query", `${written} ${select ?? selectionOf(call, args)}`);
      return sendDocument(transport, call, { document, isWrite, ...options }, (reply) => {
        const value = readResponse(reply, field, statuses);
        if (value === null && !isWrite && !(own && "isNullable" in own)) {
          throw new BifocalError("NOT_FOUND", "This row doesn't exist.", { status: 404 });
        }
        const { extensions } = reply.body as ResponseBody;
        return select === undefined ? resultOf(call, value, extensions?.version) : own ? { value } : (value as Result);
      });
    },
  };
}

function argumentsOf(call: Call, types: Readonly<Record<string, string>>): Row {
  const { operation, resource, description, options, id, input, target, own, versions } = call;
  const { deleted } = options;
  const value = own ? toValue(own.input, input) : toInput(description, resource, input, operation.startsWith("update"));
  return {
    id,
    ...(operation === "query" ? (value as Row | undefined) : { input: value }),
    // Entries of a history belong to a relation of the row.
    ...(operation === "history" ? {} : toListArguments(description, resource, options)),
    deleted: deleted?.toUpperCase(),
    ifMatch: versions?.map(quoteVersion).join(", "),
    // The first argument of a link is the id of the row.
    ...(target && { [Object.keys(types)[1] as string]: target }),
  };
}

function selectionOf(
  { operation, description, resource, options }: Call,
  args: ReturnType<typeof createArguments>,
): string {
  const { count, select } = options;
  const paged = (node: string): string => {
    const counted = count === "exact" ? " exactTotalCount" : count === true ? " totalCount totalCountIsExact" : "";
    const total = operation === "aggregate" ? " totalCount" : counted;
    return `{ nodes ${node} pageInfo { hasNextPage hasPreviousPage startCursor endCursor }${total} }`;
  };
  if (operation === "history") {
    const { to, args: types } = resource.relations[operation] as ClientRelation;
    const entry = resourceNamed(description, to);
    const written = args.write(`${resource.name}.history`, types, toListArguments(description, entry, options));
    return `{ history${written} ${paged(writeSelection(description, entry, undefined, args))} }`;
  }
  if (operation === "aggregate") return paged(aggregateSelection(description, resource, options));
  const row = writeSelection(description, resource, select, args);
  return operation === "list" || operation === "query" ? paged(row) : row;
}

interface Connection {
  readonly nodes: readonly Row[];
  readonly pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  readonly totalCount?: number;
  readonly totalCountIsExact?: boolean;
  readonly exactTotalCount?: number;
}

function resultOf({ operation }: Call, value: unknown, version: string | undefined): Result {
  if (operation === "createMany") return { rows: value as readonly (Row | null)[] };
  if (operation === "get" || !READS.test(operation)) return { row: value as Row | null, version };
  const page = operation === "history" ? (value as Row)["history"] : value;
  const { nodes, pageInfo, totalCount, exactTotalCount, totalCountIsExact } = page as Connection;
  const total = exactTotalCount ?? totalCount;
  const totalIsExact = exactTotalCount !== undefined || totalCountIsExact === true;
  return {
    page: {
      items: nodes,
      ...(total === undefined ? {} : { total, totalIsExact }),
      hasNext: pageInfo.hasNextPage,
      hasPrevious: pageInfo.hasPreviousPage,
      startCursor: pageInfo.startCursor,
      endCursor: pageInfo.endCursor,
    },
  };
}
