/** The title and the version of an API that doesn't set them. */
export const DEFAULT_INFO = { title: "API", version: "0.0.0" } as const;
