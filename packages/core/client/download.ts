import { withCredential } from "./credential.ts";
import { keepMessage, showMessage } from "./message.ts";

/** Makes a link download its list as CSV, with the credential of this tab, which a browser doesn't send by itself. */
export function downloadOnClick(link: HTMLAnchorElement): void {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (link.ariaBusy === "true") return;
    link.ariaBusy = "true";
    void download(link.href, link.dataset["csv"] ?? "")
      .catch((thrown: unknown) => keepMessage(`The export failed. ${(thrown as Error).message}`))
      .finally(() => {
        link.ariaBusy = "false";
        showMessage();
      });
  });
}

async function download(url: string, name: string): Promise<void> {
  const response = await fetch(url, { headers: withCredential({ Accept: "text/csv" }) });
  if (!response.ok) {
    const problem = (await response.json()) as { readonly detail?: string };
    throw new Error(problem.detail ?? response.statusText);
  }
  const file = document.createElement("a");
  file.href = URL.createObjectURL(await response.blob());
  file.download = name;
  file.click();
  URL.revokeObjectURL(file.href);
  keepMessage(`Exported ${name}`);
}
