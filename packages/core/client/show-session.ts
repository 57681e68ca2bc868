import { hasCredential, keepCredential, withCredential } from "./credential.ts";
import { forgetCounts } from "./show-counts.ts";

const KEY = "bifocal-principal";

/**
 * Prepares the sign-in form. Pages that don't know the caller show the name from the last page that did, or ask the
 * index of the API. Returns the name, if it is known already.
 */
export function showSession(session: HTMLElement): string | null {
  const { principal, required } = session.dataset;
  const form = session.querySelector("form");
  const summary = session.querySelector("summary");
  if (form === null || summary === null) return principal ?? null;
  for (const button of form.querySelectorAll<HTMLElement>("[type=reset]")) button.hidden = !hasCredential();
  keepCredential(form, () => {
    sessionStorage.removeItem(KEY);
    forgetCounts();
  });
  if (principal !== undefined) sessionStorage.setItem(KEY, principal);
  // The page asks for a credential, so the server has rejected the stored one.
  else if (!hasCredential() || required !== undefined) sessionStorage.removeItem(KEY);
  const known = principal ?? sessionStorage.getItem(KEY);
  if (known !== null) summary.textContent = `Signed in as ${known}`;
  else if (hasCredential() && required === undefined) void askName(summary).catch(() => {});
  return known;
}

async function askName(summary: HTMLElement): Promise<void> {
  const index = document.querySelector<HTMLAnchorElement>(".brand")?.href ?? "/";
  const response = await fetch(index, { headers: withCredential({ Accept: "text/html" }), cache: "no-cache" });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const name = page.querySelector<HTMLElement>("#session")?.dataset["principal"];
  if (name === undefined) return;
  sessionStorage.setItem(KEY, name);
  summary.textContent = `Signed in as ${name}`;
}
