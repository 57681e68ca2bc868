/** A condition of a filter: the path, the operator and the value, as text. */
export interface Condition {
  readonly path: string;
  readonly operator: string;
  readonly value: string;
}

/** The parts of `GET /books?…` that the form can change. */
export interface ListRequest {
  readonly path: string;
  readonly conditions: readonly Condition[];
  /** The parameters with one value, such as `sort` and `page[size]`. */
  readonly values: Readonly<Record<string, string>>;
  /** The text of the other parameters. */
  readonly others: readonly string[];
}

/** The parameters that have an input. */
export const INPUTS: readonly string[] = [
  "q",
  "sort",
  "fields",
  "include",
  "page[size]",
  "page[after]",
  "page[offset]",
  "count",
];
/** Operators with a list of values, which the form separates by commas. */
const LISTS: ReadonlySet<string> = new Set(["in", "notIn", "between", "hasSome", "hasEvery"]);
const CONNECTIVES: ReadonlySet<string> = new Set(["and", "or", "not"]);

export function printListRequest({ path, conditions, values, others }: ListRequest): string {
  const filters = conditions.flatMap(({ path: field, operator, value }) => {
    if (field === "" || value === "") return [];
    const name = ["filter", ...field.split("."), operator].reduce((text, part) => `${text}[${part}]`);
    return (LISTS.has(operator) ? value.split(",") : [value]).map((one) => `${name}=${encode(one.trim())}`);
  });
  const inputs = INPUTS.flatMap((name) => {
    const value = values[name] ?? "";
    return value === "" ? [] : [`${name}=${encode(value.replaceAll(/,\s+/g, ","))}`];
  });
  const query = [...filters, ...others, ...inputs].join("&");
  return `GET ${path}${query === "" ? "" : `?${query}`}`;
}

/** Reads `GET /books?…`. Undefined for any other request. */
export function readListRequest(text: string): ListRequest | undefined {
  const [, path, query = ""] = /^(?:GET\s+)?(\/[^?\s/]+)(?:\?(\S*))?\s*$/.exec(text.trim()) ?? [];
  if (path === undefined) return undefined;
  const conditions: Condition[] = [];
  const others: string[] = [];
  const values: Record<string, string> = {};
  for (const part of query.split("&").filter((one) => one !== "")) {
    const at = part.indexOf("=");
    const [name, value] = at < 0 ? [decode(part), ""] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
    const condition = readCondition(name, value);
    const last = conditions.at(-1);
    if (condition === undefined && INPUTS.includes(name)) values[name] = value;
    else if (condition === undefined) others.push(part);
    else if (last !== undefined && last.path === condition.path && last.operator === condition.operator)
      conditions.splice(-1, 1, { ...last, value: `${last.value}, ${value}` });
    else conditions.push(condition);
  }
  return { path, conditions, values, others };
}

const OPERATOR =
  /^(eq|ne|in|notIn|isNull|lt|lte|gt|gte|between|i?(?:contains|startsWith|endsWith)|has|hasSome|hasEvery)$/;

/** Reads `filter[author.name][eq]`. Undefined for combinations, which the form doesn't have. */
function readCondition(name: string, value: string): Condition | undefined {
  if (!name.startsWith("filter[")) return undefined;
  const parts = [...name.matchAll(/\[([^\]]*)\]/g)].flatMap(([, part = ""]) => part.split("."));
  if (parts.some((part) => CONNECTIVES.has(part))) return undefined;
  const operator = parts.length > 1 && OPERATOR.test(parts.at(-1) ?? "") ? (parts.pop() as string) : "eq";
  return { path: parts.join("."), operator, value };
}

/** Commas and brackets are easier to read without encoding. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%2C", ",");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
