import type { GraphiqlPage } from "./transport/graphiql.ts";

/** What an API may choose of GraphQL: the `graphql` member of its options. */
export interface GraphqlSettings {
  /** What a browser shows at `/graphql`: `graphiql()` of `@bifocal/graphiql`. Default: none. */
  readonly graphiql?: GraphiqlPage;
}
