import { kindOf } from "../../util/check-call.ts";

/** Throws a `TypeError` unless a value is a server. The app of a framework has `on` too, but never receives upgrades. */
export function checkServer(call: string, server: unknown): void {
  if (typeof (server as { readonly address?: unknown } | null | undefined)?.address === "function") return;
  throw new TypeError(
    `${call}() must receive the server that listen() or createServer() returns; received ${kindOf(server)}.`,
  );
}
