import type { Attributes } from "@opentelemetry/api";
import type { HttpRequest } from "../message/message.ts";

const METHODS = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"]);
/** What the conventions call a method that nobody knows. */
const OTHER = "_OTHER";

/** The method and scheme of a request, which its measurements carry too. */
export function methodAttributes({ method, scheme = "http" }: HttpRequest): Attributes {
  return { "http.request.method": METHODS.has(method) ? method : OTHER, "url.scheme": scheme };
}

/** What is known of a request when it arrives. Its query is left out: it has operands of filters. */
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

/** The name of a span: no path, because paths have ids. */
export function spanName(method: string, route: string | undefined): string {
  const word = METHODS.has(method) ? method : "HTTP";
  return route === undefined ? word : `${word} ${route}`;
}
