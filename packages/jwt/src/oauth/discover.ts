import { checkUrl, hostOf } from "../outbound/check-url.ts";
import { Refreshed } from "../outbound/refreshed.ts";
import { type JsonRequest, requestJson } from "../outbound/request-json.ts";
import type { JwksPlace } from "../jwt/remote-keys.ts";

/** How to send requests to the authorization server. */
export type Outbound = Pick<JsonRequest, "timeout" | "fetch">;

/** An endpoint of an authorization server. */
export type Endpoint = JwksPlace;

export interface Discovery {
  /** Rejects with UNAVAILABLE if the server is unreachable, and with an error if its metadata lacks the endpoint. */
  readonly endpoint: (name: "jwks_uri" | "introspection_endpoint") => Promise<Endpoint>;
}

const TIMES = { age: 3_600_000, cooldown: 30_000, stale: 86_400_000 };

/**
 * Reads the metadata of an authorization server (RFC 8414 §3, or OpenID Connect Discovery 1.0 §4). Its `issuer` must be the configured
 * one. Endpoints must be on the issuer's host, on one of `hosts`, or in the public internet.
 */
export function discover(issuer: string, hosts: readonly string[], how: Outbound): Discovery {
  const base = checkUrl(issuer, "'issuer'");
  const kept = new Refreshed(() => load(issuer, base, how), TIMES);
  return {
    async endpoint(name) {
      const value = (await kept.get())[name];
      if (typeof value !== "string") throw new Error(`The metadata of '${issuer}' lacks ${name}.`);
      const url = checkUrl(value, `The ${name} of '${issuer}'`);
      const isNamed = hostOf(url) === hostOf(base) || hosts.includes(hostOf(url));
      return { url, origin: isNamed ? "named" : "found" };
    },
  };
}

async function load(issuer: string, base: URL, how: Outbound): Promise<Readonly<Record<string, unknown>>> {
  const path = base.pathname.replace(/\/$/, "");
  const places = [
    new URL(`/.well-known/oauth-authorization-server${path}`, base),
    new URL(`${path}/.well-known/openid-configuration`, base),
  ];
  let failure: unknown;
  for (const url of places) {
    try {
      const found = (await requestJson({ ...how, url, origin: "named" })) as Readonly<Record<string, unknown>> | null;
      // Must match exactly (RFC 8414 §3.3). Otherwise one issuer could impersonate another.
      if (found?.["issuer"] !== issuer) throw new Error(`${url.href} is the metadata of another issuer.`);
      return found;
    } catch (thrown) {
      failure = thrown;
    }
  }
  throw failure;
}
