import type { PersistedSettings } from "./persisted/persisted-documents.ts";
import type { GraphiqlPage } from "./transport/graphiql.ts";
import type { StatusCodes } from "./transport/status.ts";

/** What an API may choose of GraphQL: the `graphql` member of its options. */
export interface GraphqlSettings {
  /** What a browser shows at `/graphql`: `graphiql()` of `@bifocal/graphiql`; in production see `developerPages`. Default: none. */
  readonly graphiql?: GraphiqlPage;
  /** Whether `__schema` and `__type` may be asked. Default: unless `NODE_ENV` is `production`. */
  readonly introspection?: boolean;
  /** Whether errors may say `Did you mean "title"?`. Default: as `introspection`, whose secrets they tell one by one. */
  readonly suggestions?: boolean;
  /**
   * The status of answers. `classic`, the default, is what all clients know; `draft-2026` is that of the working draft of
   * 2026: 294 for a partial success, 422 for what is well-formed and cannot be executed, in both media types.
   */
  readonly status?: StatusCodes;
  /** Whether one POST may carry a list of requests; at most as many as the limit `batchSize`. Default false. */
  readonly batching?: boolean;
  /** Documents that are asked for by an id instead of their text. Default: none. */
  readonly persisted?: PersistedSettings;
  /** Whether results say what they cost, as `extensions.cost`. Default false. */
  readonly cost?: boolean;
  /**
   * Whether an `id` tells of which type its row is, as Relay wants it: opaque text, for `node(id)` and `nodes(ids)`.
   * Default false: ids are those of REST.
   */
  readonly globalIds?: boolean;
  /**
   * Whether `@defer` and `@stream` deliver parts of an answer later, to clients that take `multipart/mixed` or an event
   * stream. Needs graphql 17: `DefinitionError` on 16. Default false: the directives are unknown.
   */
  readonly incremental?: boolean;
}
