/** The console and the pages of the API use the same item, so they send the same credential in this tab. */
const KEY = "bifocal-credential";
const inputs = document.querySelectorAll<HTMLInputElement>("input[name=role]");

/** Returns the header with the key of the selected role. */
export function credentialHeaders(): Readonly<Record<string, string>> {
  const key = selected()?.value ?? "";
  return key === "" ? {} : { Authorization: `Bearer ${key}` };
}

export function roleName(): string {
  return selected()?.labels?.[0]?.textContent ?? "";
}

/** Selects the role of this tab, and calls `onChange` when the user selects another one. */
export function startRoles(onChange: () => void): void {
  const stored = storedKey();
  for (const input of inputs) {
    if (input.value === stored) input.checked = true;
    input.addEventListener("change", () => {
      if (input.value === "") sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, JSON.stringify({ header: "Authorization: Bearer", value: input.value }));
      onChange();
    });
  }
}

function selected(): HTMLInputElement | undefined {
  return [...inputs].find(({ checked }) => checked);
}

function storedKey(): string {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? "null") as { readonly value?: string } | null)?.value ?? "";
  } catch {
    return "";
  }
}
