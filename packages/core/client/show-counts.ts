import { hasCredential, withCredential } from "./credential.ts";

const KEY = "bifocal-counts";
/** Counting again for each page would spend the caller's rate limit. */
const KEPT_MS = 300_000;

interface KeptCounts {
  readonly principal: string | null;
  readonly at: number;
  /** `Total-Count` by URL. Empty if the caller can't read the rows. */
  readonly totals: Record<string, string>;
}

/** Shows the number of rows of each resource that the caller can read. Requests them one by one after the page. */
export async function showCounts(places: readonly HTMLElement[], principal: string | null): Promise<void> {
  const kept = readKept(principal) ?? { principal, at: Date.now(), totals: {} };
  const { totals } = kept;
  const isKnown = principal !== null || hasCredential();
  for (const place of places) {
    const url = place.dataset["count"] ?? "";
    if ("personal" in place.dataset && !isKnown) continue;
    if (totals[url] === undefined) {
      const headers = withCredential({ Accept: "application/json" });
      const response = await fetch(url, { method: "HEAD", headers });
      // Overloaded servers and exhausted callers have no room for numbers, and a rejected credential counts nothing.
      if (response.status === 429 || response.status >= 500 || (response.status === 401 && hasCredential())) return;
      totals[url] = response.headers.get("Total-Count") ?? "";
      sessionStorage.setItem(KEY, JSON.stringify(kept));
    }
    showTotal(place, totals[url]);
  }
}

/** Counts again on the next page, because the caller or the rows have changed. */
export function forgetCounts(): void {
  sessionStorage.removeItem(KEY);
}

function readKept(principal: string | null): KeptCounts | undefined {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as KeptCounts | null;
  const isFresh = kept !== null && kept.principal === principal && Date.now() - kept.at < KEPT_MS;
  return isFresh ? kept : undefined;
}

/** `10001;exact=?0` means at least 10,001 rows. */
function showTotal(place: HTMLElement, header: string): void {
  const [number = "", isCapped] = header.split(";");
  if (number === "") return;
  const shown = isCapped === undefined ? Number(number) : Number(number) - 1;
  place.textContent = `${shown.toLocaleString("en")}${isCapped === undefined ? "" : "+"}`;
  if (isCapped !== undefined) place.title = `more than ${shown.toLocaleString("en")}`;
}
