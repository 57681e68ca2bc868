import { revokeApiKey } from "@bifocal/core";
import { type Command, EXIT, textOf } from "../command.ts";
import { print } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";

export const keysRevoke: Command = {
  name: "keys revoke",
  args: ["<id>"],
  summary: "Revoke an API key immediately",
  options: { api: API },
  run: ({ values, args, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const { id, name, revokedAt } = await revokeApiKey(api, args[0] as string);
      print(io, `revoked ${id} (${name}) ${revokedAt}`);
      return EXIT.done;
    }),
};
