export type Param = readonly [name: string, value: string];

/** A REST request as the editor contains it. */
export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly params: readonly Param[];
  /** JSON, or empty. */
  readonly body: string;
}

/** Reads the text of the editor, in which each parameter can have its own line. */
export function readRequest(text: string): RestRequest {
  const [, head = "", body = ""] = /^([^\s]*\s*[^\s]*)\s*([^]*)$/.exec(joinLines(text)) ?? [];
  const [method = "", url = ""] = head.split(/\s+/);
  const [path = "", query = ""] = url.split(/\?([^]*)/);
  const params = query.split("&").filter((part) => part !== "");
  return { method, path, params: params.map(toParam), body: body.trim() };
}

function toParam(part: string): Param {
  const at = part.indexOf("=");
  return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
}

/** Returns the text that the server reads. */
export function joinLines(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*(?=[?&])/g, "");
}

/** Prints a request with one parameter on each line. */
export function printRequest({ method, path, params, body }: RestRequest): string {
  const lines = params.map(([name, value], at) => `  ${at === 0 ? "?" : "&"}${name}=${value}`);
  return [`${method} ${path}`, ...lines, ...(body === "" ? [] : ["", body])].join("\n");
}

export function urlOf({ path, params }: Pick<RestRequest, "path" | "params">): string {
  const query = params.map(([name, value]) => `${name}=${value}`).join("&");
  return query === "" ? path : `${path}?${query}`;
}
