import { hasCredential, keepCredential } from "./credential.ts";
import { forgetCounts } from "./show-counts.ts";

const KEY = "bifocal-principal";

/**
 * Prepares the sign-in form. Pages that don't know the caller show the name from the last page that did. Returns this
 * name.
 */
export function showSession(session: HTMLElement): string | null {
  const { principal } = session.dataset;
  const form = session.querySelector("form");
  if (form === null) return principal ?? null;
  for (const button of form.querySelectorAll<HTMLElement>("[type=reset]")) button.hidden = !hasCredential();
  keepCredential(form, () => {
    sessionStorage.removeItem(KEY);
    forgetCounts();
  });
  if (principal !== undefined) sessionStorage.setItem(KEY, principal);
  else if (!hasCredential()) sessionStorage.removeItem(KEY);
  const known = principal ?? sessionStorage.getItem(KEY);
  const summary = session.querySelector("summary");
  if (summary !== null && known !== null) summary.textContent = `Signed in as ${known}`;
  else if (summary !== null && hasCredential()) summary.textContent = "Signed in";
  return known;
}
