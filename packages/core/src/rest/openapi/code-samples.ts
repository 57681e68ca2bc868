import type { JsonObject } from "../../util/json.ts";
import type { OpenApiOptions, Samples, SecuritySchemes } from "./openapi-types.ts";

/** The document is the same for all callers, so it doesn't know the host. */
const HOST = "https://api.example.com";

/** Creates the function that writes `x-codeSamples`: the same request for curl, in GraphQL and in TypeScript. */
export function createSamples({
  prefix,
  schemes,
  writeSamples,
}: Pick<OpenApiOptions, "prefix" | "schemes" | "writeSamples">): Samples {
  const base = HOST + prefix;
  return (sample, { security = [] }, method) => {
    if (sample === undefined) return {};
    const credentials = placeholders(schemes, security);
    const samples = writeSamples(sample, { base, credentials, isQuery: method === "QUERY" });
    return samples.length === 0 ? {} : { "x-codeSamples": samples.map((one) => ({ ...one })) };
  };
}

/** Writes the sample of a path that returns a document. */
export function documentSample(prefix: string, path: string): JsonObject {
  return { "x-codeSamples": [{ lang: "Shell", label: "curl", source: `curl '${HOST}${prefix}${path}'` }] };
}

/** Returns the headers of the first credential that suffices, or none if the request needs no credential. A shell replaces `$TOKEN`. */
function placeholders(schemes: SecuritySchemes, security: readonly JsonObject[]): Readonly<Record<string, string>> {
  const [name] = Object.keys(security[0] ?? {});
  const scheme = name === undefined ? undefined : schemes[name];
  if (scheme === undefined) return {};
  const { type, in: place, name: key, scheme: kind } = scheme as Readonly<Record<string, string>>;
  if (type === "apiKey") {
    if (place === "header") return { [key ?? ""]: "$API_KEY" };
    return place === "cookie" ? { Cookie: `${key}=$COOKIE` } : {};
  }
  return { Authorization: kind === "basic" ? "Basic $CREDENTIALS" : "Bearer $TOKEN" };
}
