/** The path of the page with all resources. The page of a resource is below it. */
export const SCHEMA_PATH = "/-/schema";
