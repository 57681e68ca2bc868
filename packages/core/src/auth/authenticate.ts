import type { Principal } from "../definition/principal.ts";
import { BifocalError } from "../errors/bifocal-error.ts";
import type { Authenticator, Credentials } from "./authenticator.ts";

/** The first authenticator that knows the credential says who calls. A credential that none knows is not nobody's. */
export async function authenticate(
  authenticators: readonly Authenticator[],
  credentials: Credentials,
): Promise<Principal | null> {
  for (const { authenticate: ask } of authenticators) {
    const answer = ask(credentials);
    const principal = answer instanceof Promise ? await answer : answer;
    if (principal !== null) return principal;
  }
  if (authenticators.length > 0 && credentials.headers["authorization"] !== undefined) {
    throw new BifocalError("UNAUTHENTICATED", "The credential is of a kind that is not known here.");
  }
  return null;
}
