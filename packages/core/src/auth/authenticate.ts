import type { Principal } from "../definition/principal.ts";
import { BifocalError } from "../errors/bifocal-error.ts";
import type { Authenticated, Authenticator, Credentials } from "./authenticator.ts";

/** Who calls, and until when: milliseconds since 1970. */
export interface KnownCaller {
  readonly principal: Principal | null;
  readonly expires?: number;
}

const NOBODY: KnownCaller = { principal: null };

/** The first authenticator that knows the credential says who calls. A credential that none knows is not nobody's. */
export async function authenticate(
  authenticators: readonly Authenticator[],
  credentials: Credentials,
): Promise<KnownCaller> {
  for (const { authenticate: ask } of authenticators) {
    const answer = ask(credentials);
    const known = answer instanceof Promise ? await answer : answer;
    if (known !== null) return "principal" in known ? checkExpiry(known) : { principal: known };
  }
  if (authenticators.length > 0 && credentials.headers["authorization"] !== undefined) {
    throw new BifocalError("UNAUTHENTICATED", "The credential is of a kind that is not known here.");
  }
  return NOBODY;
}

function checkExpiry({ principal, expires }: Authenticated): KnownCaller {
  const time = expires.getTime();
  if (time > Date.now()) return { principal, expires: time };
  // A date that is none is no reason to trust for ever.
  throw new BifocalError("UNAUTHENTICATED", "The credential has expired.");
}
