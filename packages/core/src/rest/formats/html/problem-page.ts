import type { Problem, ProblemPlace } from "../format.ts";
import { layout } from "./layout.ts";
import { html } from "./markup.ts";
import type { PageLook } from "./page-options.ts";

export function problemPage(problem: Problem, { api, model, prefix }: ProblemPlace, look: PageLook): string {
  const { title, status, detail, code, errors = [], requestId } = problem;
  const main = html`<h1>${status} ${title}</h1>
<p class="lead">${detail}</p>
${
  errors.length === 0
    ? ""
    : html`<ul>${errors.map(({ path, message }) => html`<li>${path.length === 0 ? "" : html`<code>${path.join(".")}</code>: `}${message}</li>`)}</ul>`
}
<p class="note">${code}${requestId === undefined ? "" : `, request ${requestId}`}</p>`;
  return layout({ api, model, prefix, look, title, main, needsSignIn: status === 401 });
}
