import { createApiKey } from "@bifocal/core";
import { type Command, EXIT, requireText, textOf, textsOf } from "../command.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";
import { printKey } from "../print-key.ts";
import { readEnd } from "../read-end.ts";

export const keysCreate: Command = {
  name: "keys create",
  summary: "Create an API key (shown only once)",
  details: 'bifocal keys create --name "CI" --principal ann --scope books:write --expires 30d',
  options: {
    api: API,
    name: { type: "string", value: "<name>", description: "display name of the key" },
    principal: { type: "string", value: "<id>", description: "id of the principal that uses the key" },
    role: { type: "string", multiple: true, value: "<role>", description: "grant this role" },
    scope: { type: "string", multiple: true, value: "<scope>", description: "grant this scope" },
    expires: { type: "string", value: "<when>", description: "30d, 12h, a date, or never (default: 90d)" },
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
