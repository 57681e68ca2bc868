import { DefinitionError } from "../errors/definition-error.ts";
import type { Log } from "../util/log.ts";
import type { HttpRequest, HttpResponse } from "../message/message.ts";

/** Which pages of other origins may call the API from a browser (https://fetch.spec.whatwg.org/#http-cors-protocol). */
export interface CorsOptions {
  /** Exact origins such as `"https://app.example.com"`, or `"*"` for any. */
  readonly origins: readonly string[] | "*" | ((origin: string) => boolean);
  /** Whether browsers may send cookies. Cannot be combined with `"*"`. Default: false. */
  readonly credentials?: boolean;
  /** Additional request headers to allow. The headers that the API reads are always allowed. */
  readonly headers?: readonly string[];
  /** Additional response headers to expose. The headers that the API sends are always exposed. */
  readonly exposed?: readonly string[];
  /** Seconds for which a browser may cache the response to a preflight. Default: 600. */
  readonly maxAge?: number;
}

export interface Cors {
  /** Whether pages of this origin may read responses. */
  readonly allows: (origin: string) => boolean;
  /** Returns the response to a preflight, or undefined for any other request. */
  readonly preflight: (request: HttpRequest, methods: readonly string[]) => HttpResponse | undefined;
  readonly decorate: (request: HttpRequest, response: HttpResponse) => HttpResponse;
}

const REQUEST_HEADERS = [
  "Accept",
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "Last-Event-ID",
  "Prefer",
  "X-API-Key",
  "X-GraphQL-Event-Stream-Token",
];
/** The known request headers, plus `Cookie`, which pages cannot set. */
const KNOWN_HEADERS = new Set(["Cookie", ...REQUEST_HEADERS].map((name) => name.toLowerCase()));
const RESPONSE_HEADERS = [
  "Accept-Patch",
  "Accept-Post",
  "Accept-Query",
  "Allow",
  "Deprecation",
  "ETag",
  "Idempotent-Replayed",
  "Link",
  "Location",
  "Page-Info",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Sunset",
  "Total-Count",
  "WWW-Authenticate",
];

/** `callerHeaders` are the headers that identify the caller. Throws a `DefinitionError` for invalid origins. */
export function createCors(options: CorsOptions, callerHeaders: readonly string[], log: Log): Cors {
  check(options);
  const { origins, credentials = false, maxAge = 600 } = options;
  const shown = callerHeaders.filter((name) => !KNOWN_HEADERS.has(name.toLowerCase()));
  const allowed = [...REQUEST_HEADERS, ...shown, ...(options.headers ?? [])].join(", ");
  const exposed = [...RESPONSE_HEADERS, ...(options.exposed ?? [])].join(", ");

  function allows(origin: string): boolean {
    if (origin === "") return false;
    if (typeof origins !== "function") return origins === "*" || origins.includes(origin);
    try {
      return origins(origin);
    } catch (cause) {
      log.error("`cors.origins` threw an error. The origin was rejected.", { origin, cause });
      return false;
    }
  }

  /** Returns the headers that let this origin read a response. */
  function headersFor({ headers }: HttpRequest): Record<string, string> {
    const origin = String(headers["origin"] ?? "");
    if (!allows(origin)) return {};
    return {
      "Access-Control-Allow-Origin": origins === "*" ? "*" : origin,
      ...(credentials ? { "Access-Control-Allow-Credentials": "true" } : {}),
    };
  }

  return {
    allows,
    preflight(request, methods) {
      const isPreflight =
        request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
      if (!isPreflight || request.headers["origin"] === undefined) return undefined;
      const own = headersFor(request);
      const isAllowed = "Access-Control-Allow-Origin" in own;
      const terms = {
        "Access-Control-Allow-Methods": methods.join(", "),
        "Access-Control-Allow-Headers": allowed,
        "Access-Control-Max-Age": String(maxAge),
      };
      const headers = { "Cache-Control": "no-store", ...own, ...(isAllowed ? terms : {}) };
      return { status: 204, headers: origins === "*" ? headers : { ...headers, Vary: "Origin" }, body: null };
    },
    decorate(request, response) {
      const own = headersFor(request);
      const headers: Record<string, string> = { ...response.headers, ...own };
      if ("Access-Control-Allow-Origin" in own) headers["Access-Control-Expose-Headers"] = exposed;
      if (origins !== "*") headers["Vary"] = headers["Vary"] === undefined ? "Origin" : `${headers["Vary"]}, Origin`;
      return { ...response, headers };
    },
  };
}

function check({ origins, credentials }: CorsOptions): void {
  const at = "cors.origins";
  if (origins === "*" && credentials === true) {
    const problem = "Credentials can't be allowed for every origin: any website could act as the user.";
    throw new DefinitionError([{ at, problem, fix: "List the origins, or remove 'credentials'." }]);
  }
  if (typeof origins === "function" || origins === "*") return;
  const wrong = origins.filter((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong.length === 0) return;
  const problem = `Invalid origin: ${wrong.map((origin) => `'${origin}'`).join(", ")}.`;
  throw new DefinitionError([
    { at, problem, fix: "Use only the scheme, host and port, such as https://app.example.com." },
  ]);
}
