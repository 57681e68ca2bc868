import type { Principal } from "@bifocal/core";
import { accessTable, printAccessTable } from "@bifocal/core/access";
import { type Command, EXIT, textOf, textsOf, UsageError, type Values } from "../command.ts";
import { print } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";

export const access: Command = {
  name: "access",
  summary: "prints who may do what, by asking every rule",
  details: `There is a column for nobody, one for somebody who is signed in and has neither role nor scope, and one for each option.
bifocal access --role editor --scope books:write --as 'ann={"id":"ann","roles":["editor"]}'`,
  options: {
    api: API,
    role: { type: "string", multiple: true, value: "<role>", says: "a column for somebody who has this role" },
    scope: { type: "string", multiple: true, value: "<scope>", says: "a column for somebody who has this scope" },
    as: { type: "string", multiple: true, value: "<name>=<json>", says: "a column for this principal" },
    json: { type: "boolean", says: "prints it as data" },
  },
  run: ({ values, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const table = await accessTable(api, principalsOf(values));
      print(io, values["json"] === true ? JSON.stringify(table, null, 2) : printAccessTable(table));
      return EXIT.done;
    }),
};

function principalsOf(values: Values): Readonly<Record<string, Principal | null>> {
  const id = "somebody";
  return {
    nobody: null,
    "signed in": { id },
    ...Object.fromEntries(textsOf(values, "role").map((role) => [role, { id, roles: [role] }])),
    ...Object.fromEntries(textsOf(values, "scope").map((scope) => [scope, { id, scopes: [scope] }])),
    ...Object.fromEntries(textsOf(values, "as").map(parsePrincipal)),
  };
}

function parsePrincipal(text: string): readonly [string, Principal] {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  try {
    const principal = JSON.parse(text.slice(at + 1)) as Principal | null;
    if (name !== "" && typeof principal?.id === "string") return [name, principal];
  } catch {
    // Told below, as everything else that is no principal.
  }
  throw new UsageError(`--as '${text}' is no principal: --as 'ann={"id":"ann","roles":["editor"]}'`);
}
