import { byId } from "./elements.ts";

/** Connects the tabs of the panel: a click or an arrow key selects one (ARIA Authoring Practices). */
export function startTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>("[role=tab]")];
  const select = (chosen: HTMLButtonElement): void => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls") ?? "").hidden = !isChosen;
    }
  };
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      const next = tabs[(at + by + tabs.length) % tabs.length];
      if (by === 0 || next === undefined) return;
      select(next);
      next.focus();
    });
  }
}

/** Copies the text of an editor. Browsers allow the clipboard only on https and on loopback. */
export function startCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    button.hidden = !("clipboard" in navigator);
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(byId(button.dataset["copy"] ?? "").innerText).then(() => {
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1_500);
      });
    });
  }
}

/** Opens the examples in the editors instead of on their own pages. */
export function startExamples(open: (request: string) => void): { readonly mark: (request: string) => void } {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".presets a")];
  const mark = (request: string | undefined): void => {
    for (const link of links) {
      if (link.dataset["request"] === request) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const { request = "" } = link.dataset;
      open(request);
      mark(request);
    });
  }
  return { mark };
}
