// What packages with developer pages are made of: `@bifocal/core/pages`.
export type { GraphiqlPage, GraphiqlView } from "./graphql/transport/graphiql.ts";
export type { Asset, WebPage } from "./message/message.ts";
export type { ReferencePage, ReferenceView } from "./rest/routes/reference.ts";
