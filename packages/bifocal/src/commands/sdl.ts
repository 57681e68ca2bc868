import { type Command, EXIT, textOf } from "../command.ts";
import { withApi } from "../load-api.ts";
import { API } from "../options.ts";

export const sdl: Command = {
  name: "sdl",
  summary: "Print the GraphQL schema",
  options: { api: API },
  run: ({ values, io }) =>
    withApi(io.folder, textOf(values, "api"), async (api) => {
      const text = api.graphql.sdl();
      io.out.write(text.endsWith("\n") ? text : `${text}\n`);
      return EXIT.done;
    }),
};
