import { exportJWK, generateKeyPair } from "jose";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export const SCOPES = "callers:read callers:write";
export const REDIRECT = "http://127.0.0.1/callback";
const REFERENCE_REDIRECT = "http://127.0.0.1/-/oauth2-redirect.html";

/** Tokens that the server issues for the API at a URL. */
export interface ForResource {
  readonly format: "jwt" | "opaque";
  /** Seconds. */
  readonly lifetime?: number;
}

/** The clients that it knows: an app of users, a job, the API itself, which introspects, and its reference page. */
export const CLIENTS = {
  app: { client_id: "app", client_secret: "the secret of the app" },
  job: { client_id: "client", client_secret: "the secret of the job" },
  api: { client_id: "api", client_secret: "the secret/of:the api" },
  docs: { client_id: "docs" },
} as const;

/** A real authorization server (oidc-provider) on loopback, at which ann signs in and consents to everything. */
export async function startAuthorizationServer(resources: Readonly<Record<string, ForResource>>) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "of-the-server" };
  const provider = new Provider(issuer, {
    clients: [
      { ...CLIENTS.app, redirect_uris: [REDIRECT], grant_types: ["authorization_code", "refresh_token"] },
      { ...CLIENTS.job, redirect_uris: [], response_types: [], grant_types: ["client_credentials"] },
      { ...CLIENTS.api, redirect_uris: [], response_types: [], grant_types: [] },
      {
        ...CLIENTS.docs,
        redirect_uris: [REFERENCE_REDIRECT],
        // A native application may use any port of loopback.
        application_type: "native",
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "none",
      },
    ],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    jwks: { keys: [key] },
    cookies: { keys: ["of cookies"] },
    scopes: ["openid", "offline_access"],
    rotateRefreshToken: true,
    clientBasedCORS: (_context, _origin, client) => client.clientId === CLIENTS.docs.client_id,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        // The reference page doesn't name a resource.
        defaultResource: (_context, client) =>
          client.clientId === CLIENTS.docs.client_id ? (Object.keys(resources)[0] ?? "") : [],
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          const { format = "jwt", lifetime = 600 } = resources[resource] ?? {};
          const shared = { scope: SCOPES, audience: resource, accessTokenTTL: lifetime };
          return format === "jwt"
            ? { ...shared, accessTokenFormat: "jwt", jwt: { sign: { alg: "ES256" } } }
            : { ...shared, accessTokenFormat: "opaque" };
        },
      },
    },
  });
  const state = { asked: [] as string[] };
  const answer = provider.callback();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    state.asked.push(request.url ?? "");
    if (request.url?.startsWith("/interaction/") === true) void interact(provider, request, response);
    else void answer(request, response);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(state, { issuer, close });
}

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: "ann" } });
    return;
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: params["client_id"] as string });
  grant.addOIDCScope("openid offline_access");
  grant.addResourceScope(params["resource"] as string, params["scope"] as string);
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

/** Follows redirects with cookies like a browser, until one leads to the app. */
export async function browse(url: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = url;
  for (let step = 0; step < 20; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${response.status} ${await response.text()}`);
    next = new URL(location, next);
    if (next.href.startsWith(REDIRECT)) return next;
  }
  throw new Error("There is no end to the redirects.");
}
