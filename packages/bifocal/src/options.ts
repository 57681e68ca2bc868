import type { Option } from "./command.ts";

// Options that several commands have.

export const API: Option = { type: "string", value: "<module>", says: "the module that exports the API" };

export const DATABASE = {
  api: API,
  migrations: { type: "string", value: "<folder>", says: "where the migration files are (default: migrations)" },
  resource: {
    type: "string",
    value: "<name>",
    says: "where the API has several SQL stores: a resource of the one that is meant",
  },
} as const satisfies Readonly<Record<string, Option>>;
