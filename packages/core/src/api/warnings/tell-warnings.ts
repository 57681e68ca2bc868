import type { Log } from "../../util/log.ts";
import { isProduction } from "../../util/is-production.ts";
import type { Warning, WarningSettings } from "../../errors/warning.ts";

/** Logs warnings with their codes. By default, only if `NODE_ENV` is `production`. */
export function tellWarnings(
  find: () => readonly Warning[],
  settings: WarningSettings = isProduction(),
  log: Log,
): void {
  if (settings === false) return;
  const except = settings === true ? [] : settings.except;
  for (const { code, message } of find()) if (!except.includes(code)) log.warn(`${message} [${code}]`);
}
