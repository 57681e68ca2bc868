import { generateKeyPairSync } from "node:crypto";
import { apiKeys, type Authenticator, type Principal } from "@bifocal/core";
import type { AuthHost } from "@bifocal/core/authenticator";
import { jwt, oauth } from "@bifocal/jwt";
import { SignJWT } from "jose";
import type { IssueToken } from "./resources/user.ts";

const ISSUER = "https://id.bookstore.example";
const AUDIENCE = "https://bookstore.example";
/** Lifetime of a token in seconds. */
export const TOKEN_LIFE = 600;

/** Finds the principal of a user. `null`: the user no longer exists or is inactive. */
type FindUser = (id: string) => Promise<Principal | null>;

export interface SignIn {
  /** Authenticators for API keys and tokens of users. Both become invalid when the user is deactivated. */
  readonly auth: readonly Authenticator[];
  /** Issues a token for a user, like an authorization server. */
  readonly issueToken: IssueToken;
}

/** An authorization server for readers, and the identity of this API there. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** The URL that the API is known by. */
  readonly resource: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requests documents on hosts whose `node:http` can't check addresses. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Accepts tokens of an authorization server. Their callers are readers. Introspects each token at most once per second.
 */
export function acceptTokensOf({ clientId, clientSecret, ...server }: AuthorizationServer): Authenticator {
  const introspection = { clientId, clientSecret, cache: 1 };
  return oauth({ ...server, introspection, principal: ({ sub }) => ({ id: sub, roles: ["reader"] }) });
}

/** Issues and verifies tokens. In production, these are two servers. The key is created at start and never stored. */
export function createSignIn(): SignIn {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signingKey = privateKey.export({ format: "jwk" });
  let users: ReturnType<AuthHost["rowsOf"]> | undefined;
  const find: FindUser = async (id) => {
    const user = await users?.get(id);
    if (user?.["active"] !== true) return null;
    return { id, roles: [String(user["role"])], claims: { shop: user["shopId"] } };
  };
  const tokens = jwt({
    issuer: ISSUER,
    audience: AUDIENCE,
    algorithms: ["ES256"],
    type: "at+jwt",
    keys: [{ key: publicKey }],
    // The role and the shop are compared with the user's current ones, because the user may have lost them.
    isActive: async ({ id, roles, claims }) => {
      const user = await find(id);
      return user?.roles?.[0] === roles?.[0] && user?.claims?.["shop"] === claims?.["shop"];
    },
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
    issueToken: ({ id, role, shopId }) =>
      new SignJWT({ roles: [role], shop: shopId })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt" })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setIssuedAt()
        .setExpirationTime(`${TOKEN_LIFE}s`)
        .sign(signingKey),
  };
}
