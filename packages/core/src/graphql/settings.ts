import type { PersistedSettings } from "./persisted/persisted-documents.ts";
import type { GraphiqlPage } from "./transport/graphiql.ts";
import type { StatusCodes } from "./transport/serialize-result.ts";

/** The `graphql` options of an API. */
export interface GraphqlSettings {
  /**
   * The page that browsers get at `/graphql`: `graphiql()` of `@bifocal/graphiql`. For production, see
   * `developerPages`. Default: a page that shows how to send documents.
   */
  readonly graphiql?: GraphiqlPage;
  /** Whether clients may query `__schema` and `__type`. Default: true unless `NODE_ENV` is `production`. */
  readonly introspection?: boolean;
  /**
   * Whether errors may contain `Did you mean "title"?`. Default: the value of `introspection`, because suggestions
   * reveal names of the schema.
   */
  readonly suggestions?: boolean;
  /**
   * The status codes of responses. `classic`, the default, works with all clients. `draft-2026` follows the working
   * draft of 2026: 294 for a partial success and 422 for a well-formed request that cannot be executed, in both media
   * types.
   */
  readonly status?: StatusCodes;
  /** Whether one POST may carry a list of requests, up to the limit `batchSize`. Default: false. */
  readonly batching?: boolean;
  /** Documents that clients request by id instead of by text. Default: none. */
  readonly persisted?: PersistedSettings;
  /** Whether results include their cost as `extensions.cost`. Default: false. */
  readonly cost?: boolean;
  /**
   * Whether an `id` includes the type of its row, as Relay requires for `node(id)` and `nodes(ids)`. Such ids are
   * opaque. Default: false, which means that ids are those of REST.
   */
  readonly globalIds?: boolean;
  /**
   * Whether `@defer` and `@stream` deliver parts of a response later, to clients that accept `multipart/mixed` or an
   * event stream. Requires graphql 17; throws a `DefinitionError` with version 16. Default: false, which means that the
   * directives are unknown.
   */
  readonly incremental?: boolean;
  /**
   * Whether relations to many rows are non-null. A caller who can't read any row of the target gets an empty page
   * instead of null with a FORBIDDEN error. A relation with a `read` rule of its own stays nullable. Default: false.
   */
  readonly nonNullConnections?: boolean;
}
