import prismHttp from "@stoplight/prism-http";
import prismServer from "@stoplight/prism-http-server";
import type { Sent } from "../requests.ts";
import { type OpenApiDocument, withOneMediaType } from "./operations.ts";

interface PrismServer {
  readonly listen: (port: number, host: string) => Promise<string>;
  readonly close: () => Promise<void>;
}
const { getHttpOperationsFromSpec } = prismHttp as {
  readonly getHttpOperationsFromSpec: (document: OpenApiDocument) => Promise<readonly object[]>;
};
const { createServer } = prismServer as {
  readonly createServer: (operations: readonly object[], options: object) => PrismServer;
};

const VALIDATION = {
  isProxy: true,
  validateRequest: true,
  validateResponse: true,
  checkSecurity: true,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
};
const ignore = (): void => undefined;
const SILENT = {
  info: ignore,
  warn: ignore,
  error: ignore,
  debug: ignore,
  success: ignore,
  trace: ignore,
  child: (): object => SILENT,
};

export interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Errors that Prism found in the request, as JSON. Empty when Prism considers the request valid. */
  readonly requestErrors: readonly string[];
}

export interface PrismProxies {
  readonly send: (request: Sent) => Promise<Outcome>;
  readonly stop: () => void;
}

interface Violation {
  readonly location: readonly string[];
  readonly severity: string;
}

/**
 * Starts one validating proxy per media type of request bodies. The proxies forward invalid requests too. They do not run by
 * the command of Prism, because it encodes the names of query parameters such as `page[size]` and then no longer finds them.
 */
export async function startPrismProxies(
  server: string,
  document: OpenApiDocument,
  mediaTypes: readonly string[],
): Promise<PrismProxies> {
  const urls = new Map<string, string>();
  const servers: PrismServer[] = [];
  for (const mediaType of mediaTypes) {
    const operations = await getHttpOperationsFromSpec(withOneMediaType(document, mediaType));
    const proxy = createServer(operations, {
      cors: false,
      config: { ...VALIDATION, upstream: new URL(server) },
      components: { logger: SILENT },
    });
    servers.push(proxy);
    urls.set(mediaType, await proxy.listen(0, "127.0.0.1"));
  }
  const [fallback = ""] = urls.values();
  return {
    send: (request) => sendThrough(urls.get(request.headers["content-type"] ?? "") ?? fallback, request),
    stop: () => servers.forEach((proxy) => void proxy.close()),
  };
}

async function sendThrough(proxy: string, { method, path, headers, body }: Sent): Promise<Outcome> {
  const sent = { method, headers, redirect: "manual" as const, ...(body === undefined ? {} : { body }) };
  const response = await fetch(proxy + path, sent);
  const text = await response.text();
  if (text.includes("stoplight.io")) throw new Error(`Prism did not forward ${method} ${path}: ${text}`);
  const violations = JSON.parse(response.headers.get("sl-violations") ?? "[]") as Violation[];
  const requestErrors = violations
    .filter(({ location, severity }) => location[0] === "request" && severity === "Error")
    .map((violation) => JSON.stringify(violation));
  if (JSON.stringify(violations).includes("route not found")) requestErrors.push("Prism finds no operation for it.");
  return { status: response.status, headers: response.headers, text, requestErrors };
}
