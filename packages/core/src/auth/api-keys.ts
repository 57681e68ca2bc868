import { createHash } from "node:crypto";
import type { Principal } from "../definition/principal.ts";
import { BifocalError } from "../errors/bifocal-error.ts";
import type { Authenticator, Credentials } from "./authenticator.ts";

/**
 * API keys that the application knows, each with its principal. They travel as `Authorization: Bearer KEY` or
 * `X-API-Key: KEY`, and on a WebSocket also as `authorization` or `apiKey` of `connection_init`.
 *
 * @example apiKeys({ [process.env.ADMIN_KEY]: { id: "ann", roles: ["admin"] } })
 */
export function apiKeys(keys: Readonly<Record<string, Principal>>): Authenticator {
  // Looked up by digest: how long that takes says nothing about how much of a key was right.
  const principals = new Map(Object.entries(keys).map(([key, principal]) => [digest(key), principal]));
  return {
    challenge: "Bearer",
    schemes: {
      bearer: { type: "http", scheme: "bearer", description: "An API key." },
      apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
    },
    authenticate(credentials) {
      const key = keyOf(credentials);
      if (key === undefined) return null;
      const principal = principals.get(digest(key));
      if (principal === undefined) throw new BifocalError("UNAUTHENTICATED", "There is no such API key.");
      return principal;
    },
  };
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}

function keyOf({ headers, connectionParams }: Credentials): string | undefined {
  const own = textOf(connectionParams?.["apiKey"]) ?? textOf(headers["x-api-key"]);
  if (own !== undefined) return own;
  const header = textOf(
    connectionParams?.["authorization"] ?? connectionParams?.["Authorization"] ?? headers["authorization"],
  );
  // RFC 6750 §2.1; the name of a scheme has no case.
  return header === undefined ? undefined : /^bearer +(.+)$/i.exec(header)?.[1]?.trim();
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
