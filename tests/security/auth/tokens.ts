import * as client from "oauth4webapi";
import { browse, CLIENTS, REDIRECT } from "./authorization-server.ts";

/** The servers of the tests are on loopback. */
export const INSECURE = { [client.allowInsecureRequests]: true };

export async function discover(issuer: string): Promise<client.AuthorizationServer> {
  const url = new URL(issuer);
  const response = await client.discoveryRequest(url, { algorithm: "oidc", ...INSECURE });
  return client.processDiscoveryResponse(url, response);
}

/** Signs ann in by the authorization code flow with PKCE (RFC 7636). With the scope `offline_access`, returns a refresh token. */
export async function signIn(issuer: string, resource: string, scope: string): Promise<client.TokenEndpointResponse> {
  const server = await discover(issuer);
  const app = { client_id: CLIENTS.app.client_id };
  const verifier = client.generateRandomCodeVerifier();
  const state = client.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: REDIRECT,
    response_type: "code",
    scope: `openid ${scope}`,
    resource,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    // OpenID Connect ignores `offline_access` unless the server asks the user for consent.
    ...(scope.includes("offline_access") ? { prompt: "consent" } : {}),
  }).toString();
  const parameters = client.validateAuthResponse(server, app, await browse(url), state);
  const authentication = client.ClientSecretBasic(CLIENTS.app.client_secret);
  const options = { additionalParameters: { resource }, ...INSECURE };
  const response = await client.authorizationCodeGrantRequest(
    server,
    app,
    authentication,
    parameters,
    REDIRECT,
    verifier,
    options,
  );
  return client.processAuthorizationCodeResponse(server, app, response);
}

/** Exchanges a refresh token (RFC 6749 §6). Throws a `ResponseBodyError` when the server rejects it. */
export async function refresh(
  issuer: string,
  resource: string,
  refreshToken: string,
): Promise<client.TokenEndpointResponse> {
  const server = await discover(issuer);
  const app = { client_id: CLIENTS.app.client_id };
  const authentication = client.ClientSecretBasic(CLIENTS.app.client_secret);
  const options = { additionalParameters: { resource }, ...INSECURE };
  const response = await client.refreshTokenGrantRequest(server, app, authentication, refreshToken, options);
  return client.processRefreshTokenResponse(server, app, response);
}

/** By client credentials (RFC 6749 §4.4). */
export async function signInAsJob(issuer: string, resource: string, scope: string): Promise<string> {
  const server = await discover(issuer);
  const job = { client_id: CLIENTS.job.client_id };
  const authentication = client.ClientSecretBasic(CLIENTS.job.client_secret);
  const parameters = new URLSearchParams({ resource, scope });
  const response = await client.clientCredentialsGrantRequest(server, job, authentication, parameters, INSECURE);
  return (await client.processClientCredentialsResponse(server, job, response)).access_token;
}

/** Revokes a token (RFC 7009). */
export async function revoke(issuer: string, token: string): Promise<void> {
  const server = await discover(issuer);
  const job = { client_id: CLIENTS.job.client_id };
  const authentication = client.ClientSecretBasic(CLIENTS.job.client_secret);
  await client.processRevocationResponse(await client.revocationRequest(server, job, authentication, token, INSECURE));
}
