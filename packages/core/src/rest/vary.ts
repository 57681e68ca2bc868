/** What every answer depends on (RFC 9110 §12.5.5): its form, and who asks. */
export const VARY = "Accept, Authorization, X-API-Key";
