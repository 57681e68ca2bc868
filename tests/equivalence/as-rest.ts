import type { FilterTree, Question, Want } from "./question.ts";

const PATHS = {
  author: "authors",
  book: "books",
  review: "reviews",
  tag: "tags",
  shelf: "shelves",
  copy: "copies",
  till: "tills",
  sale: "sales",
} as const;

/** The read as a URL. */
export function asRest(question: Question): { path: string; query: string } {
  const parameters: [string, string][] = [];
  if (question.query?.name === "since") {
    parameters.push(["year", String(question.query.year)]);
    for (const genre of question.query.genres) parameters.push(["genres", genre]);
  }
  if (question.id === undefined) {
    if (question.filter !== undefined) pushFilter(parameters, "filter", question.filter);
    if (question.search !== undefined) parameters.push(["q", question.search]);
    if (question.sort.length > 0) parameters.push(["sort", question.sort.join(",")]);
    parameters.push(["page[size]", String(question.size)]);
    if (question.offset !== undefined) parameters.push(["page[offset]", String(question.offset)]);
  }
  parameters.push(["fields", fieldPaths(question.want, "").join(",")]);
  pushRelations(parameters, question.want, "");
  const query = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return { path: `/${PATHS[question.resource]}${pathBelow(question)}`, query };
}

function pathBelow({ id, query }: Question): string {
  if (query !== undefined) return query.name === "since" ? "/since" : `/${query.id}/alike`;
  return id === undefined ? "" : `/${id}`;
}

function fieldPaths(want: Want, prefix: string): string[] {
  return [
    ...want.fields.map((name) => prefix + name),
    ...want.relations.flatMap((relation) => fieldPaths(relation.want, `${prefix}${relation.name}.`)),
  ];
}

function pushRelations(parameters: [string, string][], want: Want, prefix: string): void {
  for (const relation of want.relations) {
    const name = `rel[${prefix}${relation.name}]`;
    if (relation.filter !== undefined) pushFilter(parameters, `${name}[filter]`, relation.filter);
    if (relation.search !== undefined) parameters.push([`${name}[q]`, relation.search]);
    if (relation.sort.length > 0) parameters.push([`${name}[sort]`, relation.sort.join(",")]);
    if (relation.size !== undefined) parameters.push([`${name}[page][size]`, String(relation.size)]);
    if (relation.counted) parameters.push([`${name}[count]`, "true"]);
    pushRelations(parameters, relation.want, `${prefix}${relation.name}.`);
  }
}

function pushFilter(parameters: [string, string][], name: string, tree: FilterTree): void {
  for (const [key, value] of Object.entries(tree)) {
    const inner = `${name}[${key}]`;
    if (key === "and" || key === "or") {
      for (const [index, branch] of (value as FilterTree[]).entries())
        pushFilter(parameters, `${inner}[${index}]`, branch);
    } else if (Array.isArray(value)) {
      for (const one of value) parameters.push([inner, String(one)]);
    } else if (typeof value === "object" && value !== null) {
      pushFilter(parameters, inner, value as FilterTree);
    } else {
      parameters.push([inner, String(value)]);
    }
  }
}
