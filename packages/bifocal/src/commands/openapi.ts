import { prefixProblem } from "@bifocal/core/adapter";
import { type Command, EXIT, textOf, UsageError } from "../command.ts";
import { print } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";

const VERSIONS = ["3.1", "3.2"] as const;
const FORMATS = ["json", "all"] as const;

export const openapi: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document as JSON",
  options: {
    api: API,
    prefix: { type: "string", value: "<path>", description: "path where the API is mounted, such as /api" },
    formats: { type: "string", value: "<formats>", description: "json (default), or all to describe every format" },
    "openapi-version": { type: "string", value: "<version>", description: "3.1 or 3.2 (default: the API's setting)" },
  },
  run: ({ values, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const given = textOf(values, "openapi-version");
      const version = VERSIONS.find((one) => one === given);
      if (given !== undefined && version === undefined) {
        throw new UsageError(`Unsupported --openapi-version '${given}'. Supported: ${VERSIONS.join(", ")}.`);
      }
      const formats = FORMATS.find((one) => one === (textOf(values, "formats") ?? "json"));
      if (formats === undefined) {
        throw new UsageError(`Unsupported --formats '${textOf(values, "formats")}'. Supported: ${FORMATS.join(", ")}.`);
      }
      const prefix = textOf(values, "prefix") ?? "";
      const problem = prefixProblem(prefix, "--prefix");
      if (problem !== undefined) throw new UsageError(problem);
      print(io, JSON.stringify(api.openapi(prefix, version, formats), null, 2));
      return EXIT.done;
    }),
};
