import type { Principal } from "../../definition/principal.ts";
import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { Model } from "../../model/model.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Caller } from "../../operation/run.ts";
import type { Ids } from "../ids.ts";
import { contextOf, type ExecutionContext } from "../context.ts";

/** The parts of the API that resolvers of the host use. */
export interface Host {
  readonly model: Model;
  readonly limits: Limits;
  readonly ids: Ids;
  /** Creates local calls as a principal. They are canceled by the signal. */
  readonly localOf: (principal: Principal | null, signal: AbortSignal | undefined) => unknown;
  /** Converts a thrown error to one that the caller may see, and logs unexpected errors. */
  readonly maskError: (thrown: unknown, caller: Caller) => BifocalError;
}

/** Creates the context of a host's resolvers, once per execution: the server's own context plus `HostContext`. */
export function hostContexts(host: Host): (contextValue: unknown) => object {
  const known = new WeakMap<object, object>();
  return (contextValue) => {
    const execution = contextOf(contextValue);
    const server = contextValue as object;
    let context = known.get(server);
    if (context === undefined) {
      context = createContext(host, server, execution);
      known.set(server, context);
    }
    return context;
  };
}

function createContext(host: Host, server: object, { caller }: ExecutionContext): object {
  const { principal, signal } = caller;
  let local: unknown;
  return Object.defineProperty({ ...server, principal, signal }, "local", {
    enumerable: true,
    get: () => (local ??= host.localOf(principal, signal)),
  });
}
