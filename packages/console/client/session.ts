import { credentialHeaders, readCredential, storeCredential } from "./credential.ts";
import { byId, PREFIX } from "./elements.ts";

/** Shows who is signed in, and calls back once the caller has changed. */
export function startSession(onChange: () => void): void {
  void showCaller();
  const form = document.querySelector<HTMLFormElement>("#sign-in");
  if (form === null) return;
  const header = readCredential()?.header;
  const select = form.elements.namedItem("header") as HTMLSelectElement;
  if (header !== undefined && [...select.options].some(({ value }) => value === header)) select.value = header;
  const change = async (credential: Parameters<typeof storeCredential>[0]): Promise<void> => {
    storeCredential(credential);
    // The pages of resources remember the name of the caller under this key.
    sessionStorage.removeItem("bifocal-principal");
    if (await showCaller()) byId<HTMLDetailsElement>("session").open = false;
    onChange();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void change({ header: select.value, value: (form.elements.namedItem("value") as HTMLInputElement).value });
  });
  form.addEventListener("reset", () => void change(undefined));
}

/** Shows the name of the caller. Returns false if the server rejects the credential. */
async function showCaller(): Promise<boolean> {
  const response = await fetch(`${PREFIX}/console/model`, { headers: credentialHeaders() });
  const { principal, detail } = (await response.json()) as {
    readonly principal?: { readonly id: string } | null;
    readonly detail?: string;
  };
  const isForm = byId("session") instanceof HTMLDetailsElement;
  byId("caller").textContent = principal ? `Signed in as ${principal.id}` : isForm ? "Sign in" : "";
  for (const button of document.querySelectorAll<HTMLElement>("#sign-in [type=reset]"))
    button.hidden = readCredential() === undefined;
  byId("sign-in-error").textContent = response.ok ? "" : (detail ?? `Status ${response.status}.`);
  return response.ok;
}
