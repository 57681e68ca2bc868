import type { AnyApi, Api, AnyResource } from "@bifocal/core";
import { pathToFileURL } from "node:url";
import { UsageError } from "./command.ts";
import { messageOf } from "./message-of.ts";
import { findApi } from "./settings.ts";

export type LoadedApi = Api<AnyResource>;

/** Tells every copy of `@bifocal/core` to open stores by their first use, and not when an API is defined. */
const INSPECTED = Symbol.for("bifocal.inspected");

/** Imports the module of the API, which exports it as `api` or as its default. No store is opened by that. */
export async function loadApi(folder: string, given: string | undefined): Promise<LoadedApi> {
  const path = findApi(folder, given);
  (globalThis as { [INSPECTED]?: boolean })[INSPECTED] = true;
  const found = (await importModule(path)) as { readonly api?: unknown; readonly default?: unknown };
  const api = [found.api, found.default].find(isApi);
  if (api === undefined) {
    throw new UsageError(`'${path}' exports no API. Export what defineApi() answers as \`api\` or as the default.`);
  }
  return api;
}

async function importModule(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    const hint = /ERR_UNSUPPORTED_TYPESCRIPT|ERR_UNKNOWN_FILE_EXTENSION/.test(
      String((cause as { code?: unknown }).code),
    )
      ? "\nNode strips types and does no more: build the module first, or run with NODE_OPTIONS=--import=tsx."
      : "";
    throw new UsageError(`'${path}' could not be loaded: ${messageOf(cause)}${hint}`, { cause });
  }
}

function isApi(value: unknown): value is LoadedApi {
  return typeof value === "object" && value !== null && (value as Partial<AnyApi>)["~bifocal"] === "api";
}

/** Does something with the API, and closes what that has opened. */
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
