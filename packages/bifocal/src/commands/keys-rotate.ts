import { rotateApiKey } from "@bifocal/core";
import { type Command, EXIT, textOf } from "../command.ts";
import { printMessage } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";
import { printKey } from "../print-key.ts";
import { readEnd, readSeconds } from "../read-end.ts";

export const keysRotate: Command = {
  name: "keys rotate",
  args: ["<id>"],
  summary: "Give an API key a new secret (shown only once)",
  options: {
    api: API,
    overlap: {
      type: "string",
      value: "<time>",
      description: "how long the old secret stays valid: 1h, 0s (default: 1d)",
    },
    expires: {
      type: "string",
      value: "<when>",
      description: "30d, 12h, a date, or never (default: 90d, or never if the key never expires)",
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
      printMessage(io, `The old secret is valid until ${key.previousUntil}.`);
      return EXIT.done;
    }),
};
