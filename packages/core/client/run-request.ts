import { withCredential } from "./credential.ts";

const MAX_SHOWN = 20_000;

/** Lets a button send the request of the chosen tab, and shows each response with its duration and cost. */
export function runOnClick(button: HTMLButtonElement): void {
  const panel = button.closest(".lens");
  const place = panel?.querySelector(".runs");
  if (!panel || !place) return;
  button.addEventListener("click", () => {
    const tab = panel.querySelector<HTMLInputElement>(".tabs :checked")?.id ?? "";
    const { run: url = "", graphql } = button.dataset;
    const runs = [
      ...(tab === "lens-graphql" && graphql !== undefined ? [] : [() => run("REST", url, {})]),
      ...(graphql !== undefined && (tab === "lens-both" || tab === "lens-graphql")
        ? [() => run("GraphQL", graphql, documentOf(panel))]
        : []),
    ];
    button.disabled = true;
    void sendInTurn(runs, place, button.dataset["cost"] ?? "").finally(() => {
      button.disabled = false;
    });
  });
}

interface Run {
  readonly style: string;
  readonly summary: string;
  readonly text: string;
}

/** One after the other, so that the durations can be compared. */
async function sendInTurn(runs: readonly (() => Promise<Run>)[], place: Element, cost: string): Promise<void> {
  const shown: Element[] = [];
  for (const send of runs) {
    const { style, summary, text } = await send();
    const head = document.createElement("p");
    head.className = "ran";
    head.textContent = `${style}: ${summary} · cost ${cost}`;
    const body = document.createElement("pre");
    body.tabIndex = 0;
    body.role = "group";
    body.ariaLabel = `Response of ${style}`;
    body.textContent = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
    shown.push(head, body);
  }
  place.replaceChildren(...shown);
}

async function run(style: string, url: string, init: RequestInit): Promise<Run> {
  const type = init.body === undefined ? undefined : { "Content-Type": "application/json" };
  const headers = withCredential({ Accept: "application/json", ...type });
  const start = performance.now();
  try {
    // A stored response wouldn't show the duration.
    const response = await fetch(url, { ...init, headers, cache: "no-store" });
    const text = await response.text();
    const ms = Math.max(1, Math.round(performance.now() - start));
    return { style, summary: `${response.status} in ${ms} ms`, text: indent(text) };
  } catch (thrown) {
    return { style, summary: "not sent", text: (thrown as Error).message };
  }
}

function documentOf(panel: Element): RequestInit {
  const textOf = (label: string): string | undefined => panel.querySelector(`[aria-label="${label}"]`)?.textContent;
  const variables = JSON.parse(textOf("The variables") ?? "{}") as object;
  return { method: "POST", body: JSON.stringify({ query: textOf("The request in GraphQL"), variables }) };
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
