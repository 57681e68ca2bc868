import type { ClientDescription, ClientResource } from "@bifocal/core";
import { BifocalError } from "../client-error.ts";
import { decodeRow } from "../decode-row.ts";
import { hideNulls } from "../graphql/hide-nulls.ts";
import type { ResponseBody, ResponseError } from "../graphql/response.ts";
import type { Groups } from "../groups.ts";
import { parseId } from "../id.ts";
import type { Row } from "../lens.ts";
import type { OpenedQuery, ReceivedChange } from "../watch.ts";

interface Watched {
  readonly description: ClientDescription;
  readonly resource: ClientResource;
  readonly query: OpenedQuery;
  readonly groups: Groups | undefined;
  /** The root field of the subscription. */
  readonly field: string;
}

/** Returns the function that reads the results of a subscription. It throws the error of a result. */
export function createChangeReader({ description, resource, query, groups, field }: Watched) {
  const { statuses } = description.graphql;
  return ({ data, errors = [], extensions = {} }: ResponseBody): ReceivedChange => {
    const { kind, eventId: id } = extensions;
    if (kind === "reset") return { id, change: { id, kind } };
    if (kind === "left") return { id, change: { id, kind, key: keyOf(resource, errors[0]?.extensions?.id) } };
    const row = data?.[field] as Row | null | undefined;
    const fatal = errors.find(({ path = [], extensions: { code } = {} }) => code !== "FORBIDDEN" || path.length === 1);
    if (!data || !row || fatal) throw errorOf(fatal ?? errors[0], statuses);
    if (kind !== "current" && query.on?.includes(String(kind)) === false) return { id };
    if (errors.length > 0) hideNulls(data, errors);
    const item = decodeRow(description, resource, row, query.select, groups);
    return kind === "current" ? { change: { kind, item } } : { id, change: { id, kind, item } };
  };
}

/** In GraphQL, an id is percent-encoded. */
function keyOf(resource: ClientResource, id = ""): unknown {
  return parseId(resource, resource.key.length === 1 ? decodeURIComponent(id) : id);
}

export function errorOf(
  { message, extensions = {} }: ResponseError = { message: "The result has no data." },
  statuses: Readonly<Record<string, number>>,
): BifocalError {
  const { code = "INTERNAL", errors: issues, requestId } = extensions;
  return new BifocalError(code, message, { issues, requestId, status: statuses[code] });
}
