import { createApiKey } from "@bifocal/core";
import { type Command, EXIT, requireText, textOf, textsOf } from "../command.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";
import { printKey } from "../print-key.ts";
import { readEnd } from "../read-end.ts";

export const keysCreate: Command = {
  name: "keys create",
  summary: "makes an API key and prints it, once",
  details: 'bifocal keys create --name "CI" --principal ann --scope books:write --expires 30d',
  options: {
    api: API,
    name: { type: "string", value: "<name>", says: "what people call it" },
    principal: { type: "string", value: "<id>", says: "who calls by it" },
    role: { type: "string", multiple: true, value: "<role>", says: "a role that it gives" },
    scope: { type: "string", multiple: true, value: "<scope>", says: "a scope that it gives" },
    expires: { type: "string", value: "<when>", says: "30d, 12h, a date, or never (default: in 90 days)" },
  },
  run: ({ values, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const expiresAt = readEnd("expires", textOf(values, "expires"));
      const key = await createApiKey(api, {
        name: requireText(values, "name", '"CI"'),
        principalId: requireText(values, "principal", "ann"),
        roles: textsOf(values, "role"),
        scopes: textsOf(values, "scope"),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
      printKey(io, key);
      return EXIT.done;
    }),
};
