import { SCHEMA_PATH } from "../../../routes/schema-path.ts";
import type { SchemaView } from "../../format.ts";
import { layout } from "../layout.ts";
import type { PageLook } from "../page-options.ts";
import { overview } from "./overview.ts";
import { resourceSchema } from "./resource-schema.ts";

/** Writes the page of the schema: all resources, or one of them with a request in each style. */
export async function schemaPage(view: SchemaView, look: PageLook): Promise<string> {
  const { api, model, prefix, resource } = view;
  const written = resource === undefined ? overview(view) : await resourceSchema(view, resource);
  const principal = view.principal();
  return layout({ api, model, prefix, look, current: SCHEMA_PATH, principal, ...written });
}
