// For packages with developer pages: `@bifocal/core/pages`.
export type { GraphiqlPage, GraphiqlView } from "./graphql/transport/graphiql.ts";
export type { Asset, WebPage } from "./message/message.ts";
export type { ConsolePage, ConsoleView } from "./rest/routes/console.ts";
export { MARK_ICON } from "./rest/formats/html/mark-icon.ts";
export { isProduction } from "./util/is-production.ts";
export type { ReferencePage, ReferenceView } from "./rest/routes/reference.ts";
export {
  type OAuthClient,
  type ReferenceParts,
  referenceHeaders,
  writeReferencePage,
} from "./rest/routes/reference-page.ts";
