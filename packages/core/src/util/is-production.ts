/**
 * Whether `NODE_ENV` is `production`, or can't be read: without permission, Deno throws. Read when an API is defined.
 */
export function isProduction(): boolean {
  try {
    return process.env["NODE_ENV"] === "production";
  } catch {
    return true;
  }
}
