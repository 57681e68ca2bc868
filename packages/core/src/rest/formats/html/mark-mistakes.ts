import type { JsonObject } from "../../../util/json.ts";
import { constantCase } from "../../../util/constant-case.ts";
import type { RequestMistake, RequestTexts } from "../format.ts";
import { html, type Markup } from "./markup.ts";
import { putInVariables } from "./put-in-variables.ts";

/** A GraphQL request with its mistakes marked. */
export interface MarkedRequest {
  readonly document: Markup;
  readonly variables?: Markup;
  /** The mistakes that have no place in the request. */
  readonly missing: readonly RequestMistake[];
}

/** The first of the characters that stand for mistakes. They are for private use, and no request contains them. */
const FIRST_MARK = 0xe000;
const MARKED = /([\uE000-\uE00F][^",\s]*)/;

/** Replaces the valid names and values with the mistakes. Undefined if GraphQL can't express the request. */
export function markMistakes(
  { graphql }: RequestTexts,
  mistakes: readonly RequestMistake[],
): MarkedRequest | undefined {
  if ("reason" in graphql) return undefined;
  const variables = JSON.parse(graphql.variables ?? "{}") as JsonObject;
  let { text } = graphql;
  const missing: RequestMistake[] = [];
  // The path of a mistake contains the stand-ins of those before it, so the last one is marked first.
  for (const [at, mistake] of [...mistakes.entries()].reverse()) {
    const mark = markAt(at);
    if (putInVariables(variables, mistake, mark)) continue;
    const marked = putInDocument(text, mistake, mark);
    if (marked === undefined) missing.unshift(mistake);
    else text = marked;
  }
  const document = withMarks(text, mistakes);
  if (graphql.variables === undefined) return { document, missing };
  return { document, variables: withMarks(JSON.stringify(variables, undefined, 2), mistakes), missing };
}

function markAt(at: number): string {
  return String.fromCharCode(FIRST_MARK + at);
}

/** Shows the texts of the mistakes in place of the marks. */
function withMarks(text: string, mistakes: readonly RequestMistake[]): Markup {
  let marked = text;
  for (const [at, { kind, text: wrong }] of mistakes.entries()) {
    const isNumber = kind === "value" && /^-?\d+(\.\d+)?$/.test(wrong);
    if (isNumber) marked = marked.replace(`"${markAt(at)}"`, markAt(at));
  }
  const parts = marked.split(MARKED);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<mark>${shownText(part, mistakes)}</mark>` : part))}`;
}

function shownText(part: string, mistakes: readonly RequestMistake[]): string {
  const mistake = mistakes[part.charCodeAt(0) - FIRST_MARK];
  if (mistake === undefined) return part;
  const { kind, path, text } = mistake;
  const isConstant = kind === "name" && path.some((name) => name === "sort" || name === "group");
  return (isConstant ? constantCase(text) : text) + part.slice(1);
}

/** Puts the mark into the selection, whose names follow the arguments. */
function putInDocument(document: string, { path, kind, standIn }: RequestMistake, mark: string): string | undefined {
  if (kind !== "name" || (path[0] !== "fields" && path[0] !== "include")) return undefined;
  const at = [...document.matchAll(new RegExp(`^ +(${standIn})\\b`, "gm"))].at(-1);
  if (at === undefined) return undefined;
  const start = at.index + at[0].length - standIn.length;
  return `${document.slice(0, start)}${mark}${document.slice(start + standIn.length)}`;
}
