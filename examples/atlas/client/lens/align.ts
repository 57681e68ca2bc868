type Json = unknown;

export interface Aligned {
  readonly rest: readonly string[];
  readonly graphql: readonly string[];
  /** The number of lines of rows, and of those that are equal in both styles. */
  readonly rows: number;
  readonly equalRows: number;
}

interface Layout {
  readonly before: readonly string[];
  readonly rows: readonly Json[];
  readonly after: readonly string[];
}

/** Prints both responses with one row per line, so that equal rows are beside each other. */
export function align(rest: Json, graphql: Json): Aligned {
  const [left, right] = [restLayout(rest), graphqlLayout(graphql)];
  const count = Math.max(left.rows.length, right.rows.length);
  const print = ({ before, rows, after }: Layout, height: number): readonly string[] => {
    const indent = /^\s*/.exec(before.at(-1) ?? "")?.[0] ?? "";
    const lines = Array.from({ length: count }, (_, at) =>
      at < rows.length ? `${indent}  ${printRow(rows[at])}${at < rows.length - 1 ? "," : ""}` : "",
    );
    return [...Array.from({ length: height - before.length }, () => ""), ...before, ...lines, ...after];
  };
  const height = Math.max(left.before.length, right.before.length);
  const equalRows = left.rows.filter((row, at) => at < right.rows.length && isSame(row, right.rows[at])).length;
  return { rest: print(left, height), graphql: print(right, height), rows: count, equalRows };
}

function restLayout(body: Json): Layout {
  if (Array.isArray(body)) return { before: ["["], rows: body, after: ["]"] };
  return isObject(body) && "code" in body && "status" in body
    ? { before: lines(body), rows: [], after: [] }
    : { before: [""], rows: [body], after: [] };
}

function graphqlLayout(body: Json): Layout {
  const { data, ...others } = isObject(body) ? body : { data: undefined };
  const [name, value] = isObject(data) ? (Object.entries(data)[0] ?? []) : [];
  if (name === undefined || value === null || value === undefined) return { before: lines(body), rows: [], after: [] };
  const more = Object.entries(others).flatMap(([key, part]) => memberLines(key, part));
  if (isObject(value) && Array.isArray(value["nodes"])) {
    const { nodes, ...rest } = value;
    const before = ["{", '  "data": {', `    "${name}": {`, '      "nodes": ['];
    const members = Object.entries(rest).map(([key, part]) => `      "${key}": ${printRow(part)}`);
    const after = [members.length > 0 ? "      ]," : "      ]", ...joinMembers(members), "    }", ...closeData(more)];
    return { before, rows: nodes as Json[], after };
  }
  return { before: ["{", '  "data": {', `    "${name}":`], rows: [value], after: closeData(more) };
}

function closeData(more: readonly string[]): readonly string[] {
  return [more.length > 0 ? "  }," : "  }", ...more, "}"];
}

function joinMembers(members: readonly string[]): readonly string[] {
  return members.map((member, at) => (at < members.length - 1 ? `${member},` : member));
}

function lines(value: Json): readonly string[] {
  return JSON.stringify(value, null, 2).split("\n");
}

/** Prints a member of the response, with one line for each item of a list. */
function memberLines(key: string, value: Json): readonly string[] {
  if (!Array.isArray(value)) return [`  "${key}": ${printRow(value)}`];
  return [`  "${key}": [`, ...joinMembers(value.map((item) => `    ${printRow(item)}`)), "  ]"];
}

/** Prints JSON on one line, with spaces for people. */
export function printRow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(printRow).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${printRow(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/**
 * Compares a row of REST with one of GraphQL, where related rows are in `nodes` and ids are strings. A field that the caller may not
 * read is missing in REST and null in GraphQL.
 */
function isSame(rest: Json, graphql: Json): boolean {
  if (isObject(graphql) && Array.isArray(graphql["nodes"])) return isSame(rest, graphql["nodes"]);
  if (Array.isArray(rest) && Array.isArray(graphql))
    return rest.length === graphql.length && rest.every((item, at) => isSame(item, graphql[at]));
  if (!isObject(rest) || !isObject(graphql)) return idText(rest) === idText(graphql);
  const names = new Set([...Object.keys(rest), ...Object.keys(graphql)]);
  return [...names].every((name) => isSame(rest[name], graphql[name]));
}

function idText(value: Json): string {
  return JSON.stringify(typeof value === "number" ? String(value) : (value ?? null));
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
