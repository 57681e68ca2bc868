/** Finds text with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3). Runs in the page. */
export function lowContrast(): string[] {
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (element: Element | null): string => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const found: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== "");
    if (!hasText || !(element as HTMLElement).checkVisibility()) continue;
    const [light = 0, dark = 0] = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))].sort(
      (a, b) => b - a,
    );
    if ((light + 0.05) / (dark + 0.05) < 4.5) found.push(element.textContent?.trim() ?? "");
  }
  return found;
}
