export type { JwtAlgorithm } from "./jwt/algorithms.ts";
export { jwt, type JwtOptions, type TokenAuthenticator } from "./jwt/jwt.ts";
export type { JwksTimes } from "./jwt/remote-keys.ts";
export type { ClaimsOf, TokenCallerOptions } from "./jwt/token-caller.ts";
export type { JwtKey, PublicJwk } from "./jwt/verification-key.ts";
export type { JwtClaims } from "./jwt/verify-token.ts";
export type { IntrospectionOptions } from "./oauth/introspect.ts";
export { oauth, type OAuthOptions } from "./oauth/oauth.ts";
