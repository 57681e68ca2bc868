import { createHash } from "../../runtime/crypto.ts";
import { checkPrincipal, type Principal } from "../../definition/principal.ts";
import type { Authenticator } from "../authenticator.ts";
import { kindOf } from "../../util/check-call.ts";
import { bearerToken, credentialIn } from "../credentials.ts";

const HEADER = "X-API-Key";

/** Values that result from an unset environment variable. They are easy to guess. */
const UNSET = ["", "undefined", "null"];

/** The length of 128 random bits in base64url. */
const MIN_LENGTH = 22;

/**
 * Authenticates by keys from the code or the environment, each with its principal. Keys are sent in `X-API-Key` or as a
 * Bearer token.
 */
export function staticKeys(keys: Readonly<Record<string, Principal>>): Authenticator {
  if (typeof keys !== "object" || keys === null || Array.isArray(keys))
    throw new TypeError(
      `apiKeys() must receive an object that maps each key to its principal, or { resource }; received ${kindOf(keys)}.`,
    );
  const unset = Object.keys(keys).find((key) => UNSET.includes(key.trim()));
  if (unset !== undefined)
    throw new Error(`'${unset}' is not a valid API key. Check that the environment variable with the key is set.`);
  for (const principal of Object.values(keys)) checkPrincipal("the principal of an API key", principal);
  // Looked up by digest, so that the time of the lookup reveals nothing about the key.
  const principals = new Map(Object.entries(keys).map(([key, principal]) => [digest(key), principal]));
  const short = Object.entries(keys).filter(([key]) => key.length < MIN_LENGTH);
  const whose = short.map(([, { id }]) => `'${id}'`).join(", ");
  const message = `API keys of ${whose} have fewer than ${MIN_LENGTH} characters and can be guessed. Use random keys, or store keys in a resource.`;
  return {
    warnings: short.length === 0 ? [] : [{ code: "short_keys", message }],
    challenge: "Bearer",
    headers: ["Authorization", HEADER],
    schemes: {
      bearer: { type: "http", scheme: "bearer", description: "An API key." },
      apiKey: { type: "apiKey", in: "header", name: HEADER },
    },
    authenticate(credentials) {
      const key = credentialIn(credentials, HEADER) ?? bearerToken(credentials);
      if (key === undefined) return null;
      const principal = principals.get(digest(key));
      // Keys can be any text, so this may be a credential of another kind. If no authenticator knows it, the request is
      // rejected.
      if (principal === undefined) return null;
      // A copy for each request, because data may be attached to a principal.
      return { ...principal };
    },
  };
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}
