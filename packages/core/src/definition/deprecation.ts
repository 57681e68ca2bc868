/** Announces a removal in `Deprecation` (RFC 9745), `Sunset` (RFC 8594), OpenAPI and `@deprecated`. */
export interface Deprecation {
  /** A sentence that names the replacement. */
  readonly reason?: string;
  /** When it was deprecated: an ISO 8601 date or date and time, such as `"2026-07-01"`. */
  readonly since?: string;
  /** When it will be removed; not before `since`. */
  readonly sunset?: string;
  /** URL of a page with more information. */
  readonly link?: string;
}
