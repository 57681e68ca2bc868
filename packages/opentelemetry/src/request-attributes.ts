import type { HttpRequest } from "@bifocal/core/telemetry";
import type { Attributes } from "@opentelemetry/api";

const METHODS = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"]);
/** The name that the conventions give to unknown methods. */
const OTHER = "_OTHER";

/** Returns the method and scheme of a request. Metrics use these attributes as well. */
export function methodAttributes({ method, scheme }: HttpRequest): Attributes {
  return { "http.request.method": METHODS.has(method) ? method : OTHER, "url.scheme": scheme };
}

/** Returns what is known of a request when it arrives. The query string is left out, because it contains operands of filters. */
export function requestAttributes(request: HttpRequest): Attributes {
  const { method, prefix, path, headers } = request;
  const attributes: Attributes = {
    ...methodAttributes(request),
    "url.path": prefix + path,
    ...hostAttributes(headers["host"]),
  };
  if (!METHODS.has(method)) attributes["http.request.method_original"] = method;
  const agent = headers["user-agent"];
  if (typeof agent === "string") attributes["user_agent.original"] = agent;
  return attributes;
}

/** `localhost:3000`, `[::1]:3000` */
function hostAttributes(host: HttpRequest["headers"][string]): Attributes {
  if (typeof host !== "string" || host === "") return {};
  const [, address = host, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [];
  return { "server.address": address, ...(port === undefined ? {} : { "server.port": Number(port) }) };
}

/** Returns the name of a span. It never contains the path, because paths contain ids. */
export function spanName(method: string, route: string | undefined): string {
  const word = METHODS.has(method) ? method : "HTTP";
  return route === undefined ? word : `${word} ${route}`;
}
