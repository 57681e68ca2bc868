import { followChanges } from "./follow-changes.ts";

/** Lets the button of a section start and stop its live changes. */
export function toggleLiveChanges(section: HTMLElement): void {
  const button = section.querySelector("button") as HTMLButtonElement;
  const state = section.querySelector(".state") as HTMLElement;
  let running: AbortController | undefined;

  function showButton(): void {
    button.setAttribute("aria-pressed", String(running !== undefined));
    button.textContent = running === undefined ? "Start" : "Stop";
  }

  function start(): AbortController {
    const own = new AbortController();
    followChanges(section, state, own.signal)
      .catch(() => {
        state.textContent = own.signal.aborted ? "" : "The connection was lost.";
      })
      .finally(() => {
        if (running === own) running = undefined;
        showButton();
      });
    return own;
  }

  button.addEventListener("click", () => {
    running?.abort();
    running = running === undefined ? start() : undefined;
    showButton();
  });
}
