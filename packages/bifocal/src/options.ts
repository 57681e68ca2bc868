import type { Option } from "./command.ts";

// Options shared by several commands.

export const API: Option = { type: "string", value: "<module>", description: "module that exports the API" };

export const DATABASE = {
  api: API,
  migrations: { type: "string", value: "<folder>", description: "folder of the migration files (default: migrations)" },
  resource: {
    type: "string",
    value: "<name>",
    description: "a resource in the SQL store to use (only if the API has several)",
  },
} as const satisfies Readonly<Record<string, Option>>;
