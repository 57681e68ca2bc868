// The entry point for authenticators: `@bifocal/core/authenticator`.
export type {
  Answer,
  AuthHost,
  Authenticated,
  Authenticator,
  Credentials,
  CredentialSource,
  TrustedRows,
} from "./auth/authenticator.ts";
export { challengeOf } from "./auth/challenge.ts";
export { bearerToken, credentialIn } from "./auth/credentials.ts";
export { isSameCaller } from "./auth/same-caller.ts";
export type { Principal } from "./definition/principal.ts";
export { BifocalError, isBifocalError } from "./errors/bifocal-error.ts";
export type { Warning } from "./errors/warning.ts";
export type { Json, JsonObject } from "./util/json.ts";
export type { MaybePromise } from "./util/maybe-promise.ts";
