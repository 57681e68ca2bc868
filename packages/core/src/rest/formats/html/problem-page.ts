import type { Problem, ProblemPlace, RequestMistake } from "../format.ts";
import { errorPath } from "./error-page.ts";
import { copyable, requestPanel } from "./lens-panel.ts";
import { layout } from "./layout.ts";
import { html, type Markup } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import { rejectedPanel } from "./rejected-panel.ts";
import { type SentUrl, sentUrl } from "./sent-url.ts";
import { suggestedUrls } from "./suggested-urls.ts";

/** Explains an error: the request with the mistake marked, links to corrected requests, and when to try again. */
export function problemPage(problem: Problem, place: ProblemPlace, look: PageLook): string {
  const { api, model, prefix, request, principal = null } = place;
  const { title, status, detail, code, errors = [], requestId } = problem;
  const { each: suggested, all } = suggestedUrls(problem, request);
  const { mistakes = [], texts = unprintable(problem, request) } = request;
  const wrong = [...suggested.map((one) => one.wrong), ...mistakes.flatMap(textsOf)];
  const id = mistakes.find(({ path }) => path[0] === "id");
  const sent = sentUrl(place, wrong, id?.text);
  const main = html`<h1>${status} ${title}</h1>
<p class="lead">${detail}</p>
${
  errors.length === 0 || (errors.length === 1 && errors[0]?.message === detail)
    ? ""
    : html`<ul>${errors.map(({ path, message }) => html`<li>${path.length === 0 ? "" : html`<code>${path.join(".")}</code>: `}${message}</li>`)}</ul>`
}
${suggested.map(
  ({ wrong, name, url }) =>
    html`<p>Did you mean <a href="${prefix}${url}">${name}</a>${all === undefined ? "" : html` instead of <code>${wrong}</code>`}?</p>`,
)}
${all === undefined ? "" : html`<p><a class="button" href="${prefix}${all}">Correct all ${suggested.length} names</a></p>`}
${status === 400 ? sentRequest(request.method, sent) : ""}
${retry(place)}
${requestId === undefined ? "" : html`<p>The log of the server has the cause under this id:</p>${copyable("The id of the request", html`<code>${requestId}</code>`)}`}
<p class="note"><a href="${prefix}${errorPath(code)}">About <code>${code}</code></a></p>`;
  const lens =
    typeof texts === "string" || mistakes.length > 0
      ? rejectedPanel({ method: request.method, sent, texts, mistakes })
      : requestPanel({ api, prefix, url: sent.url }, texts);
  return layout({ api, model, prefix, look, title, main, principal, needsSignIn: status === 401, lens });
}

/** A mistake can consist of several parameters. */
function textsOf({ kind, text }: RequestMistake): readonly string[] {
  return kind === "parameter" ? text.split("&") : [text];
}

/** Explains why the request can't be printed in the other style. */
function unprintable({ status }: Problem, { method }: ProblemPlace["request"]): string {
  if (method !== "GET" && method !== "HEAD") return "only reads are shown in both styles.";
  if (status === 404) return "no operation has this path.";
  return "the request can't be read.";
}

function sentRequest(method: string, { text }: SentUrl): Markup {
  return html`<h2>The request</h2>
<pre class="command" role="group" tabindex="0" aria-label="The request"><code>${method} ${text}</code></pre>`;
}

/** Counts down until the request can succeed. Without a script, it states the time. */
function retry({ prefix, retryAfter, request }: ProblemPlace): Markup | string {
  if (retryAfter === undefined) return "";
  const { path, query } = request;
  const url = `${prefix}${path}${query === "" ? "" : `?${query}`}`;
  return html`<p data-retry="${retryAfter}"><a href="${url}">Try again</a> <span role="timer">in ${retryAfter} seconds</span></p>`;
}
