const KEY = "bifocal-credential";

interface Credential {
  readonly header: string;
  readonly value: string;
}

function readCredential(): Credential | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Credential | null;
    return stored?.value ? stored : undefined;
  } catch {
    return undefined;
  }
}

export function hasCredential(): boolean {
  return readCredential() !== undefined;
}

/** Returns a header with a placeholder instead of the credential, if there is one: `Authorization: Bearer $TOKEN`. */
export function credentialTemplate(): string | undefined {
  const header = readCredential()?.header;
  if (header === undefined) return undefined;
  return header === "Authorization: Bearer" ? `${header} $TOKEN` : `${header}: $API_KEY`;
}

/** Returns headers with the credential of this tab, if there is one. */
export function withCredential(headers: Readonly<Record<string, string>>): Record<string, string> {
  const credential = readCredential();
  if (credential === undefined) return { ...headers };
  const { header, value } = credential;
  const own = header === "Authorization: Bearer" ? { Authorization: `Bearer ${value}` } : { [header]: value };
  return { ...own, ...headers };
}

/** Stores the credential of the form in this tab, until the form is reset or the tab is closed. */
export function keepCredential(form: HTMLFormElement, onChange: () => void): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    sessionStorage.setItem(KEY, JSON.stringify({ header: data.get("header"), value: data.get("value") }));
    onChange();
    location.reload();
  });
  form.addEventListener("reset", () => {
    sessionStorage.removeItem(KEY);
    onChange();
    location.reload();
  });
}
