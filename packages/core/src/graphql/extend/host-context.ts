import { contextOf, type ExecutionContext } from "../context.ts";
import type { Host } from "./host.ts";

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
