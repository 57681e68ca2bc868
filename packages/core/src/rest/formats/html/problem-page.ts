import type { Problem, ProblemPlace } from "../format.ts";
import { errorPath } from "./error-page.ts";
import { copyable, requestPanel } from "./lens-panel.ts";
import { layout } from "./layout.ts";
import { html, type Markup } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import { type SuggestedUrl, suggestedUrls, wordOf } from "./suggested-urls.ts";

/** Explains an error: the request with the mistake marked, links to corrected requests, and when to try again. */
export function problemPage(problem: Problem, place: ProblemPlace, look: PageLook): string {
  const { api, model, prefix, request } = place;
  const { title, status, detail, code, errors = [], requestId } = problem;
  const suggested = suggestedUrls(problem, request);
  const main = html`<h1>${status} ${title}</h1>
<p class="lead">${detail}</p>
${
  errors.length === 0 || (errors.length === 1 && errors[0]?.message === detail)
    ? ""
    : html`<ul>${errors.map(({ path, message }) => html`<li>${path.length === 0 ? "" : html`<code>${path.join(".")}</code>: `}${message}</li>`)}</ul>`
}
${suggested.map(({ name, url }) => html`<p>Did you mean <a href="${prefix}${url}">${name}</a>?</p>`)}
${status === 400 ? sentRequest(place, suggested) : ""}
${retry(place)}
${requestId === undefined ? "" : html`<p>The log of the server has the cause under this id:</p>${copyable("The id of the request", html`<code>${requestId}</code>`)}`}
<p class="note"><a href="${prefix}${errorPath(code)}">About <code>${code}</code></a></p>`;
  const lens = request.texts === undefined ? undefined : problemLens(place);
  return layout({
    api,
    model,
    prefix,
    look,
    title,
    main,
    needsSignIn: status === 401,
    ...(lens === undefined ? {} : { lens }),
  });
}

/** Shows the request with each misspelled name marked. */
function sentRequest({ prefix, request }: ProblemPlace, suggested: readonly SuggestedUrl[]): Markup {
  const { method, path, query } = request;
  const wrong = suggested.map((one) => wordOf(one.wrong).source).join("|");
  const text = readable(query);
  // `split` puts the names that the group matches at the odd positions.
  const parts = wrong === "" ? [text] : text.split(new RegExp(`(${wrong})`));
  const marked = parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part));
  return html`<h2>The request</h2>
<pre class="command" role="group" tabindex="0" aria-label="The request"><code>${method} ${prefix}${path}${query === "" ? "" : "?"}${marked}</code></pre>`;
}

/** Decodes a query for people. One that isn't valid is shown as it was sent. */
function readable(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query;
  }
}

/** Counts down until the request can succeed. Without a script, it states the time. */
function retry({ prefix, retryAfter, request }: ProblemPlace): Markup | string {
  if (retryAfter === undefined) return "";
  const { path, query } = request;
  const url = `${prefix}${path}${query === "" ? "" : `?${query}`}`;
  return html`<p data-retry="${retryAfter}"><a href="${url}">Try again</a> <span role="timer">in ${retryAfter} seconds</span></p>`;
}

function problemLens({ api, prefix, request: { path, query, texts } }: ProblemPlace): Markup {
  const url = `${prefix}${path}${query === "" ? "" : `?${query}`}`;
  return requestPanel({ api, prefix, url }, texts);
}
