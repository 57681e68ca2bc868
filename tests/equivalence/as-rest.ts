import type { FilterTree, Question, Want } from "./question.ts";

const PATHS = { author: "authors", book: "books", review: "reviews", tag: "tags" } as const;

/** The read as a URL. */
export function asRest(question: Question): { path: string; query: string } {
  const parameters: [string, string][] = [];
  if (question.id === undefined) {
    if (question.filter !== undefined) pushFilter(parameters, "filter", question.filter);
    if (question.sort.length > 0) parameters.push(["sort", question.sort.join(",")]);
    parameters.push(["page[size]", String(question.size)]);
    if (question.offset !== undefined) parameters.push(["page[offset]", String(question.offset)]);
  }
  parameters.push(["fields", fieldPaths(question.want, "").join(",")]);
  pushRelations(parameters, question.want, "");
  const query = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return { path: `/${PATHS[question.resource]}${question.id === undefined ? "" : `/${question.id}`}`, query };
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
    if (relation.sort.length > 0) parameters.push([`${name}[sort]`, relation.sort.join(",")]);
    if (relation.size !== undefined) parameters.push([`${name}[page][size]`, String(relation.size)]);
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
