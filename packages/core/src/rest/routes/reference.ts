import type { WebPage } from "../../message/message.ts";

/** The page at `/docs`, which presents the OpenAPI document, for example that of `@bifocal/scalar`. */
export type ReferencePage = WebPage<ReferenceView>;

export interface ReferenceView {
  readonly title: string;
  /** The URL of the OpenAPI document. */
  readonly openapi: string;
  /** The URL of the page's files, without a trailing slash. */
  readonly assets: string;
}
