/** Shows the status of the page's request, and how long it took. */
export function showDuration(place: Element): void {
  const url = location.href.replace(/#.*/s, "");
  const timing = performance.getEntriesByName(url).at(-1);
  if (!(timing instanceof PerformanceResourceTiming) || timing.responseStart === 0) return;
  const ms = Math.max(1, Math.round(timing.responseStart - timing.requestStart));
  place.textContent = `${timing.responseStatus} in ${ms} ms · `;
}
