/** Sets Swagger UI's class for dark mode as the browser prefers, also after changes. */
export function followColorScheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = (): boolean => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", apply);
  apply();
}
