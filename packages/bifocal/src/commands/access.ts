import type { Principal } from "@bifocal/core";
import { accessPrincipals, accessTable, printAccessTable } from "@bifocal/core/explain";
import { type Command, EXIT, textOf, textsOf, type Values } from "../command.ts";
import { print } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";
import { parsePrincipal } from "../parse-principal.ts";

export const access: Command = {
  name: "access",
  summary: "Show who can do what, by evaluating every access rule",
  details: `The table has a column for anonymous callers, one for a signed-in caller without roles or scopes, and one per option.
bifocal access --role editor --scope books:write --as 'ann={"id":"ann","roles":["editor"]}'`,
  options: {
    api: API,
    role: { type: "string", multiple: true, value: "<role>", description: "add a column for a caller with this role" },
    scope: {
      type: "string",
      multiple: true,
      value: "<scope>",
      description: "add a column for a caller with this scope",
    },
    as: { type: "string", multiple: true, value: "<name>=<json>", description: "add a column for this principal" },
    json: { type: "boolean", description: "print JSON" },
  },
  run: ({ values, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const table = await accessTable(api, principalsOf(values));
      print(io, values["json"] === true ? JSON.stringify(table, null, 2) : printAccessTable(table));
      return EXIT.done;
    }),
};

function principalsOf(values: Values): Readonly<Record<string, Principal | null>> {
  return {
    ...accessPrincipals({ roles: textsOf(values, "role"), scopes: textsOf(values, "scope") }),
    ...Object.fromEntries(textsOf(values, "as").map(parsePrincipal)),
  };
}
