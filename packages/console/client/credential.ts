import { byId } from "./elements.ts";

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

/** Stores the token of the input in this tab. */
export function keepCredential(): void {
  const input = byId<HTMLInputElement>("credential");
  input.value = readCredential()?.value ?? "";
  input.addEventListener("change", () => {
    if (input.value === "") sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ header: BEARER, value: input.value }));
  });
}

function readCredential(): Credential | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Credential | null;
    return stored?.value ? stored : undefined;
  } catch {
    return undefined;
  }
}
