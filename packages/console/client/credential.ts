/** The pages of resources use the same item, so that a person signs in once per tab. */
const KEY = "bifocal-credential";
const BEARER = "Authorization: Bearer";

interface Credential {
  readonly header: string;
  readonly value: string;
}

/** Returns the header with the credential of this tab, if there is one. */
export function credentialHeaders(): Readonly<Record<string, string>> {
  const stored = readCredential();
  if (stored === undefined) return {};
  return stored.header === BEARER ? { Authorization: `Bearer ${stored.value}` } : { [stored.header]: stored.value };
}

/** Returns the header with a placeholder in place of the credential: `X-API-Key: $API_KEY`. */
export function credentialTemplate(): string | undefined {
  const stored = readCredential();
  if (stored === undefined) return undefined;
  return stored.header === BEARER ? `${BEARER} $TOKEN` : `${stored.header}: $API_KEY`;
}

/** Stores the credential in this tab, or removes it. */
export function storeCredential(credential: Credential | undefined): void {
  if (credential === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(credential));
}

export function readCredential(): Credential | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Credential | null;
    return stored?.value ? stored : undefined;
  } catch {
    return undefined;
  }
}
