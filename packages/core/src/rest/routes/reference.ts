import type { WebPage } from "../../message/message.ts";

/** What stands at `/docs`: a page for people about the OpenAPI document. `@bifocal/swagger-ui` is one. */
export type ReferencePage = WebPage<ReferenceView>;

export interface ReferenceView {
  readonly title: string;
  /** Where the document is. */
  readonly openapi: string;
  /** Where the files are, without a slash at the end. */
  readonly assets: string;
}
