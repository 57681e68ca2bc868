import { type Command, EXIT, textOf } from "../command.ts";
import { columns } from "../help.ts";
import { print } from "../io.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";

export const routes: Command = {
  name: "routes",
  summary: "List the paths of the API with their methods",
  details: "Paths start below the prefix at which the API is mounted. The files of pages are omitted.",
  options: { api: API, json: { type: "boolean", description: "print JSON" } },
  run: ({ values, io }) =>
    withApi(io.folder, textOf(values, "api"), (api) => {
      const found = api.routes.filter(({ path }) => !path.startsWith("/-/"));
      const table = columns(found.map(({ path, methods }) => [path, methods.join(", ")]));
      print(io, values["json"] === true ? JSON.stringify(found, null, 2) : table);
      return Promise.resolve(EXIT.done);
    }),
};
