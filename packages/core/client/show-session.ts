import { hasCredential, keepCredential } from "./credential.ts";

const KEY = "bifocal-principal";

/** Prepares the sign-in form. Pages that don't know the caller show the name from the last page that did. */
export function showSession(session: HTMLElement): void {
  const form = session.querySelector("form");
  if (form === null) return;
  keepCredential(form);
  const { principal } = session.dataset;
  if (principal !== undefined) sessionStorage.setItem(KEY, principal);
  else if (!hasCredential()) sessionStorage.removeItem(KEY);
  const known = principal ?? sessionStorage.getItem(KEY);
  const summary = session.querySelector("summary");
  if (summary !== null && known !== null) summary.textContent = `Signed in as ${known}`;
}
