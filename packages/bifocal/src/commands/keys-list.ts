import { type ApiKey, listApiKeys } from "@bifocal/core";
import { type Command, EXIT, textOf } from "../command.ts";
import { print, tell } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";

export const keysList: Command = {
  name: "keys list",
  summary: "lists the API keys, the newest first; never their secrets",
  options: {
    api: API,
    principal: { type: "string", value: "<id>", says: "those of one principal" },
    json: { type: "boolean", says: "prints them as data" },
  },
  run: ({ values, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const principalId = textOf(values, "principal");
      const keys = await listApiKeys(api, principalId === undefined ? {} : { principalId });
      if (values["json"] === true) print(io, JSON.stringify(keys, null, 2));
      else if (keys.length === 0) tell(io, "There are no API keys.");
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
  if (expiresAt === null) return "good for ever";
  return new Date(expiresAt) <= now ? `ended ${expiresAt}` : `good until ${expiresAt}`;
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
