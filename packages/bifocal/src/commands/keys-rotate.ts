import { rotateApiKey } from "@bifocal/core";
import { type Command, EXIT, textOf } from "../command.ts";
import { tell } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";
import { printKey } from "../print-key.ts";
import { readEnd, readSeconds } from "../read-end.ts";

export const keysRotate: Command = {
  name: "keys rotate",
  args: ["<id>"],
  summary: "gives an API key a new secret and prints it, once",
  options: {
    api: API,
    overlap: { type: "string", value: "<time>", says: "how long the old secret stays good: 1h, 0s (default: a day)" },
    expires: {
      type: "string",
      value: "<when>",
      says: "30d, 12h, a date, or never (default: in 90 days, or as it was)",
    },
  },
  run: ({ values, args, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const overlap = textOf(values, "overlap");
      const expiresAt = readEnd("expires", textOf(values, "expires"));
      const key = await rotateApiKey(api, args[0] as string, {
        ...(overlap === undefined ? {} : { overlap: readSeconds("overlap", overlap) }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
      printKey(io, key);
      tell(io, `The old secret is good until ${key.previousUntil}.`);
      return EXIT.done;
    }),
};
