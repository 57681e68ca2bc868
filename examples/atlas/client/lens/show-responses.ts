import { byId } from "../elements.ts";
import { align } from "./align.ts";
import { highlight } from "./highlight.ts";
import type { Answer } from "./server.ts";

const HIDDEN = ". Fields that this caller can't read are missing in REST and null in GraphQL";

/** Shows both responses. If the rows are those of one request, it shows how many are equal. */
export function showResponses(rest: Answer | undefined, graphql: Answer | undefined): void {
  const { rest: left, graphql: right, rows, equalRows } = align(rest?.body ?? null, graphql?.body ?? null);
  write("rest-response", rest === undefined ? "" : left.join("\n"));
  write("graphql-response", graphql === undefined ? "" : right.join("\n"));
  writeTime("rest", rest);
  writeTime("graphql", graphql);
  const isBoth = rest !== undefined && graphql !== undefined && rest.status === 200 && rows > 0;
  const equal = byId("equal");
  equal.classList.toggle("same", isBoth && equalRows === rows);
  const isPartial = isBoth && equalRows === rows && hasErrors(graphql.body);
  equal.textContent = isBoth ? summary(equalRows, rows) + (isPartial ? HIDDEN : "") : "";
}

export function clearResponses(text: string): void {
  for (const style of ["rest", "graphql"]) {
    write(`${style}-response`, "");
    byId(`${style}-time`).textContent = "";
  }
  byId("equal").textContent = text;
  byId("equal").classList.remove("same");
}

function summary(equalRows: number, rows: number): string {
  if (equalRows < rows) return `${equalRows} of ${rows} rows are equal`;
  return rows === 1 ? "The row is the same in both" : `All ${rows} rows are the same in both`;
}

function hasErrors(body: unknown): boolean {
  return typeof body === "object" && body !== null && "errors" in body;
}

function writeTime(style: string, answer: Answer | undefined): void {
  byId(`${style}-time`).textContent =
    answer === undefined
      ? ""
      : `${answer.status} in ${answer.milliseconds.toFixed(answer.milliseconds < 10 ? 1 : 0)} ms`;
}

function write(id: string, text: string): void {
  const element = byId(id);
  element.textContent = text;
  highlight(element, "json");
}
