import { BifocalError } from "../client-error.ts";

/** A GraphQL document, and the values of its variables. */
export interface Document {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Collects the variables of a document. Calls that differ only in values have the same text. */
export interface Arguments {
  /** Returns `(id: $v0)` for the values that are set, or an empty text. */
  readonly write: (
    place: string,
    types: Readonly<Record<string, string>>,
    values: Readonly<Record<string, unknown>>,
  ) => string;
  readonly finish: (kind: "query" | "mutation" | "subscription", selection: string) => Document;
}

export function createArguments(): Arguments {
  const types: string[] = [];
  const variables: Record<string, unknown> = {};
  return {
    write(place, known, values) {
      const written = Object.entries(values).flatMap(([name, value]) => {
        if (value === undefined) return [];
        const type = known[name];
        if (type === undefined)
          throw new BifocalError("BAD_REQUEST", `GraphQL has no argument '${name}' for '${place}'.`);
        const variable = `v${types.length}`;
        types.push(`$${variable}: ${type}`);
        variables[variable] = value;
        return [`${name}: $${variable}`];
      });
      return written[0] ? `(${written.join(", ")})` : "";
    },
    finish: (kind, selection) => ({
      text: `${kind}${types[0] ? ` (${types.join(", ")})` : ""} { ${selection} }`,
      variables,
    }),
  };
}
