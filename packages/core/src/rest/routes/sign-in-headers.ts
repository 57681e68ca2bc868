import type { SecuritySchemes } from "../openapi/openapi-types.ts";

/** Returns the headers that can contain a credential, such as `X-API-Key` or `Authorization: Bearer`. */
export function signInHeaders(schemes: SecuritySchemes): readonly string[] {
  const headers = Object.values(schemes).flatMap((scheme) => {
    if (scheme["type"] === "apiKey" && scheme["in"] === "header") return [String(scheme["name"])];
    const isToken = scheme["type"] === "oauth2" || scheme["type"] === "openIdConnect";
    return isToken || scheme["scheme"] === "bearer" ? ["Authorization: Bearer"] : [];
  });
  return [...new Set(headers)];
}
