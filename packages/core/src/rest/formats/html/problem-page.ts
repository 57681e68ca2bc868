import type { Problem, ProblemPlace } from "../format.ts";
import { layout } from "./layout.ts";
import { html } from "./markup.ts";

export function problemPage(problem: Problem, { api, model, prefix }: ProblemPlace): string {
  const { title, status, detail, code, errors = [], requestId } = problem;
  const main = html`<h1>${status} ${title}</h1>
<p class="lead">${detail}</p>
${
  errors.length === 0
    ? ""
    : html`<ul>${errors.map(({ path, message }) => html`<li>${path.length === 0 ? "" : html`<code>${path.join(".")}</code>: `}${message}</li>`)}</ul>`
}
<p class="note">${code}${requestId === undefined ? "" : `, request ${requestId}`}</p>`;
  return layout({ api, model, prefix, title, main });
}
