import type { Asset } from "./assets.ts";

/** What stands at `/docs`: a page for people about the OpenAPI document. `@bifocal/swagger-ui` is one. */
export interface ReferencePage {
  readonly page: (view: ReferenceView) => string;
  /** Of the page. */
  readonly headers: Readonly<Record<string, string>>;
  /** Files that the page refers to, by name. */
  readonly assets: Readonly<Record<string, Asset>>;
}

export interface ReferenceView {
  readonly title: string;
  /** Where the document is. */
  readonly openapi: string;
  /** Where the files are, without a slash at the end. */
  readonly assets: string;
}
