import { generateKeyPairSync } from "node:crypto";
import { apiKeys, type Authenticator, type AuthHost, type Principal } from "@bifocal/core";
import { jwt, oauth } from "@bifocal/jwt";
import { SignJWT } from "jose";
import type { Role } from "./roles.ts";

const ISSUER = "https://id.bookstore.example";
const AUDIENCE = "https://bookstore.example";
/** Seconds that a token is good for. */
export const TOKEN_LIFE = 600;

/** Finds the principal of a user. `null`: the user no longer exists or is inactive. */
type FindUser = (id: string) => Promise<Principal | null>;

export interface SignIn {
  /** API keys of users, tokens of users: both end when the user is no longer active. */
  readonly auth: readonly Authenticator[];
  /** A token for a user, as an authorization server would issue it. */
  readonly issueToken: (id: string, role: Role) => Promise<string>;
}

/** An authorization server for readers, and the identity of this API there. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** The URL that the API is known by. */
  readonly resource: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Accepts tokens of an authorization server; their callers are readers. Asks about each token at most once a second. */
export function acceptTokensOf({ issuer, resource, clientId, clientSecret }: AuthorizationServer): Authenticator {
  const introspection = { clientId, clientSecret, cache: 1 };
  return oauth({ issuer, resource, introspection, principal: ({ sub }) => ({ id: sub, roles: ["reader"] }) });
}

/** Issues tokens and checks them; elsewhere those are two servers. Its key is made at start and kept nowhere. */
export function createSignIn(): SignIn {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let users: ReturnType<AuthHost["rowsOf"]> | undefined;
  const find: FindUser = async (id) => {
    const user = await users?.get(id);
    return user?.["active"] === true ? { id, roles: [String(user["role"])] } : null;
  };
  const tokens = jwt({
    issuer: ISSUER,
    audience: AUDIENCE,
    algorithms: ["ES256"],
    type: "at+jwt",
    keys: [{ key: publicKey }],
    // The token's role is compared with the user's current one, because the user may have lost it.
    isActive: async ({ id, roles }) => (await find(id))?.roles?.[0] === roles?.[0],
  });
  return {
    auth: [
      apiKeys({ resource: "apiKey", bearer: true, principal: ({ principalId }) => find(principalId) }),
      {
        ...tokens,
        open: ({ rowsOf }) => {
          users = rowsOf("user");
        },
      },
    ],
    issueToken: (id, role) =>
      new SignJWT({ roles: [role] })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt" })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setIssuedAt()
        .setExpirationTime(`${TOKEN_LIFE}s`)
        .sign(privateKey),
  };
}
