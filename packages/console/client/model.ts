import { PREFIX } from "./elements.ts";

export interface FieldNames {
  readonly name: string;
  /** Empty for a field that can't be filtered. */
  readonly operators: readonly string[];
  /** The values that it can have, if they are known. */
  readonly values: readonly string[];
}

export interface RelationNames {
  readonly name: string;
  /** The name of the related resource. */
  readonly target: string;
  readonly many: boolean;
}

/** The names that requests for a resource can contain. */
export interface ResourceNames {
  readonly name: string;
  readonly path: string;
  readonly isListed: boolean;
  readonly isSearchable: boolean;
  readonly page: { readonly size: number; readonly max: number };
  readonly fields: readonly FieldNames[];
  /** Paths by which lists can be sorted, such as `author.name`. */
  readonly sorts: readonly string[];
  readonly relations: readonly RelationNames[];
}

export type Model = readonly ResourceNames[];

export async function loadModel(): Promise<Model> {
  const response = await fetch(`${PREFIX}/console/model`);
  return ((await response.json()) as { readonly resources: Model }).resources;
}

const QUANTIFIERS: readonly string[] = ["some", "every", "none"];

/** Returns what can be typed next in a path: `author.` continues with the fields and relations of authors. */
export function completePath(model: Model, start: ResourceNames, text: string, isFilter: boolean): readonly string[] {
  const parts = text.split(".").slice(0, -1);
  const prefix = parts.map((part) => `${part}.`).join("");
  const end = follow(model, start, parts, isFilter);
  if (end === undefined) return [];
  if (end === "quantifier") return QUANTIFIERS.map((one) => `${prefix}${one}.`);
  const fields = end.fields.filter(({ operators }) => !isFilter || operators.length > 0).map(({ name }) => name);
  return [...fields, ...end.relations.map(({ name }) => `${name}.`)].map((name) => prefix + name);
}

/** Returns the field at the end of a filter's path, such as `reviews.some.stars`. */
export function fieldAt(model: Model, start: ResourceNames, path: string): FieldNames | undefined {
  const parts = path.split(".");
  const end = follow(model, start, parts.slice(0, -1), true);
  return end === undefined || end === "quantifier" ? undefined : end.fields.find(({ name }) => name === parts.at(-1));
}

/** Follows relations. In filters, a quantifier is next after a relation with several rows. */
function follow(
  model: Model,
  start: ResourceNames,
  parts: readonly string[],
  isFilter: boolean,
): ResourceNames | "quantifier" | undefined {
  const [first, ...others] = parts;
  if (first === undefined) return start;
  const relation = start.relations.find(({ name }) => name === first);
  const target = model.find(({ name }) => name === relation?.target);
  if (relation === undefined || target === undefined) return undefined;
  if (!isFilter || !relation.many) return follow(model, target, others, isFilter);
  const [quantifier, ...rest] = others;
  if (quantifier === undefined) return "quantifier";
  return QUANTIFIERS.includes(quantifier) ? follow(model, target, rest, isFilter) : undefined;
}
