import type { AnyApi, Api, AnyResource } from "@bifocal/core";
import { pathToFileURL } from "node:url";
import { UsageError } from "./command.ts";
import { messageOf } from "./message-of.ts";
import { findApi } from "./settings.ts";

export type LoadedApi = Api<AnyResource>;

/** Makes every copy of `@bifocal/core` open stores on first use instead of when an API is defined. */
const INSPECTED = Symbol.for("bifocal.inspected");

/** Imports the module that exports the API as `api` or default. Opens no store. */
export async function loadApi(folder: string, given: string | undefined): Promise<LoadedApi> {
  const path = findApi(folder, given);
  (globalThis as { [INSPECTED]?: boolean })[INSPECTED] = true;
  const found = (await importModule(path)) as { readonly api?: unknown; readonly default?: unknown };
  const api = [found.api, found.default].find(isApi);
  if (api === undefined) {
    throw new UsageError(`'${path}' doesn't export an API. Export the result of defineApi() as \`api\` or as default.`);
  }
  return api;
}

async function importModule(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    const message = `Could not load '${path}': ${messageOf(cause)}`;
    const isUnknownSyntax = /ERR_UNSUPPORTED_TYPESCRIPT|ERR_UNKNOWN_FILE_EXTENSION/.test(
      String((cause as { code?: unknown }).code),
    );
    // Errors that the module throws, such as those of its definitions, are not errors in the command line.
    if (!isUnknownSyntax) throw new Error(message, { cause });
    const limit = stripsTypes()
      ? "Node only strips types"
      : `Node ${process.versions.node} doesn't run TypeScript here, as 22.18, 24 and newer versions do by default`;
    const hint = `${limit}. Build the module first, or run with NODE_OPTIONS=--import=tsx.`;
    throw new UsageError(`${message}\n${hint}`, { cause });
  }
}

/** Versions 23.0 to 23.5 don't strip types by default, and an option turns it off in all others. */
function stripsTypes(): boolean {
  return process.features.typescript !== false;
}

function isApi(value: unknown): value is LoadedApi {
  return typeof value === "object" && value !== null && (value as Partial<AnyApi>)["~bifocal"] === "api";
}

/** Loads the API, runs `work`, and closes everything it opened. */
export async function withApi<T>(
  folder: string,
  given: string | undefined,
  work: (api: LoadedApi) => Promise<T>,
): Promise<T> {
  const api = await loadApi(folder, given);
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}
