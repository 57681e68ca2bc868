import { withCredential } from "./credential.ts";

/** Loads the response as JSON when its section is opened for the first time. */
export function loadJsonOnOpen(section: HTMLDetailsElement): void {
  const code = section.querySelector("code") as HTMLElement;
  section.addEventListener("toggle", () => {
    if (code.textContent === "") void load(section.dataset["json"] ?? "", code);
  });
}

async function load(url: string, code: HTMLElement): Promise<void> {
  code.textContent = "Loading…";
  try {
    const response = await fetch(url, { headers: withCredential({ Accept: "application/json" }) });
    code.textContent = JSON.stringify(await response.json(), null, 2);
  } catch (thrown) {
    code.textContent = `The JSON response can't be loaded. ${(thrown as Error).message}`;
  }
}
