import { createHash } from "node:crypto";
import type { Principal } from "../../definition/principal.ts";
import type { Authenticator } from "../authenticator.ts";
import { bearerToken, credentialIn } from "../credentials.ts";

const HEADER = "X-API-Key";

/** What JavaScript makes of an environment variable that is not set: anybody could guess it. */
const UNSET = ["", "undefined", "null"];

/** As many as 128 random bits take in base64url. */
const LEAST = 22;

/** Keys that stand in the code or in the environment, each with its principal; as a header of their own or as Bearer. */
export function staticKeys(keys: Readonly<Record<string, Principal>>): Authenticator {
  const unset = Object.keys(keys).find((key) => UNSET.includes(key.trim()));
  if (unset !== undefined)
    throw new Error(`'${unset}' is not a valid API key. Check that the environment variable with the key is set.`);
  // Looked up by digest: how long that takes says nothing about how much of a key was right.
  const principals = new Map(Object.entries(keys).map(([key, principal]) => [digest(key), principal]));
  const short = Object.entries(keys).filter(([key]) => key.length < LEAST);
  const whose = short.map(([, { id }]) => `'${id}'`).join(", ");
  const message = `API keys of ${whose} have fewer than ${LEAST} characters and can be guessed. Use random keys, or store keys in a resource.`;
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
      // Keys may be any text, so this one may well be of another kind; where nobody knows it, the request is refused.
      if (principal === undefined) return null;
      // An object of its own for each request: what is noted of one is not of another.
      return { ...principal };
    },
  };
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}
