import { type ApiKey, listApiKeys } from "@bifocal/core";
import { type Command, EXIT, textOf } from "../command.ts";
import { print, printMessage } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";

export const keysList: Command = {
  name: "keys list",
  summary: "List API keys, newest first (without secrets)",
  options: {
    api: API,
    principal: { type: "string", value: "<id>", description: "only keys of this principal" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ values, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const principalId = textOf(values, "principal");
      const keys = await listApiKeys(api, principalId === undefined ? {} : { principalId });
      if (values["json"] === true) print(io, JSON.stringify(keys, null, 2));
      else if (keys.length === 0) printMessage(io, "No API keys.");
      else print(io, tableOf([HEAD, ...keys.map((key) => rowOf(key, new Date()))]));
      return EXIT.done;
    }),
};

const HEAD = ["id", "name", "principal", "roles", "scopes", "created", "state"];

function rowOf(key: ApiKey, now: Date): readonly string[] {
  const { id, name, principalId, roles, scopes, createdAt } = key;
  return [id, name, principalId, roles.join(" ") || "-", scopes.join(" ") || "-", createdAt, stateOf(key, now)];
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return "never expires";
  return new Date(expiresAt) <= now ? `expired ${expiresAt}` : `valid until ${expiresAt}`;
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
