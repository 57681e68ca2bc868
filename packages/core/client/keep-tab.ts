const KEY = "bifocal-lens";

/** Keeps the chosen tab of the request panel for the next pages of this tab. */
export function keepTab(tabs: HTMLElement): void {
  const kept = document.getElementById(sessionStorage.getItem(KEY) ?? "");
  if (kept instanceof HTMLInputElement) kept.checked = true;
  tabs.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) sessionStorage.setItem(KEY, target.id);
  });
}
