import type { Principal } from "../definition/principal.ts";
import { accessPrincipals } from "../explain/access-principals.ts";
import { accessTable } from "../explain/access-table.ts";
import type { AccessTableOptions } from "../model/access/access-table.ts";
import { requiredCredentials } from "../model/access/required-credentials.ts";
import type { Model } from "../model/model.ts";
import type { ShownAccess } from "../rest/schema/shown-access.ts";
import { quoteShell } from "../util/quote-shell.ts";

const PLAIN = /^[\w.:/-]+$/;

/**
 * Evaluates the access rules for a page: for an anonymous caller, one that is signed in, each role and each scope that
 * the rules name, and the caller of the page.
 */
export async function readAccess(
  model: Model,
  caller: Principal | null,
  wanted: AccessTableOptions,
): Promise<ShownAccess> {
  const credentials = requiredCredentials(model);
  const principals = {
    ...accessPrincipals(credentials),
    ...(caller === null ? {} : { [`${caller.id} (you)`]: caller }),
  };
  const options = [
    ...credentials.roles.map((role) => `--role ${argument(role)}`),
    ...credentials.scopes.map((scope) => `--scope ${argument(scope)}`),
  ];
  return {
    table: await accessTable({ model }, principals, wanted),
    command: ["npx bifocal access", ...options].join(" "),
  };
}

function argument(text: string): string {
  return PLAIN.test(text) ? text : quoteShell(text);
}
