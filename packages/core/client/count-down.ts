/** Counts down the seconds until a request can succeed. Screen readers read them only on demand. */
export function countDown(place: HTMLElement): void {
  const timer = place.querySelector("[role=timer]") as HTMLElement;
  const end = performance.now() + Number(place.dataset["retry"]) * 1_000;
  const interval = setInterval(() => {
    const seconds = Math.ceil((end - performance.now()) / 1_000);
    timer.textContent = seconds > 0 ? `in ${seconds} second${seconds === 1 ? "" : "s"}` : "now";
    if (seconds <= 0) clearInterval(interval);
  }, 250);
}
