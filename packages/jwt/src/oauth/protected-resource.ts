import type { JsonObject } from "@bifocal/core/authenticator";
import { checkUrl } from "../outbound/check-url.ts";

/** The path of the metadata document, below the mount path of the API (RFC 9728 §3). */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";

export interface ProtectedResource {
  /** The content of the document. */
  readonly metadata: JsonObject;
  /** The URL of the document. */
  readonly metadataUrl: string;
}

/** Returns the metadata of a protected resource (RFC 9728 §2). `resource` is the URL of the API. */
export function protectedResource(
  resource: string,
  issuer: string,
  scopes: Readonly<Record<string, string>>,
  name: string | undefined,
): ProtectedResource {
  checkUrl(resource, "'resource'");
  const names = Object.keys(scopes);
  return {
    metadata: {
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
      ...(names.length === 0 ? {} : { scopes_supported: names }),
      ...(name === undefined ? {} : { resource_name: name }),
    },
    metadataUrl: resource.replace(/\/$/, "") + METADATA_PATH,
  };
}
