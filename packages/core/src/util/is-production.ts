/** Whether the process serves people and not its developers: `NODE_ENV` is `production`. Looked at when an API is defined. */
export function isProduction(): boolean {
  return process.env["NODE_ENV"] === "production";
}
