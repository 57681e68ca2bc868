export const MEDIA_TYPE = "application/vnd.api+json";

/** The `jsonapi` member of every document. */
export const VERSION = { version: "1.1" };
