/** Whether `NODE_ENV` is `production`. Read when an API is defined. */
export function isProduction(): boolean {
  return process.env["NODE_ENV"] === "production";
}
