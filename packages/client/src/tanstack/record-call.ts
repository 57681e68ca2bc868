/** A call of a client: `{ path: ["book", "get"], args: [id] }`. */
export interface RecordedCall {
  readonly path: readonly string[];
  readonly args: readonly unknown[];
}

/** Throws a `TypeError` for the promise of a call that was already sent. */
export function requireFunction(work: unknown): void {
  if (typeof work !== "function")
    throw new TypeError("Pass a function that returns one call of the client: (client) => client.book.list().");
}

/** Returns the call that a function makes, without sending it. Throws unless the function returns that call. */
export function recordCall(work: (client: never) => unknown): RecordedCall {
  const recorded = new WeakSet<object>();
  const at = (path: readonly string[]): unknown =>
    new Proxy(() => {}, {
      get: (_, name) => at([...path, String(name)]),
      apply(_, __, args: unknown[]) {
        const call = { path, args };
        recorded.add(call);
        return call;
      },
    });
  requireFunction(work);
  const result = work(at([]) as never);
  if (typeof result === "object" && result !== null && recorded.has(result)) return result as RecordedCall;
  throw new TypeError("Return one call of the client, without 'async' or 'then': (client) => client.book.list().");
}

/** The place of the options among the arguments of reads that take a signal. */
const OPTIONS_AT: Readonly<Record<string, number>> = { list: 0, aggregate: 0, get: 1, history: 1 };

/** Sends a recorded call. */
export async function sendCall({ path, args }: RecordedCall, client: object, signal: AbortSignal): Promise<unknown> {
  const [resource = "", ...names] = path;
  let method: unknown = (client as Readonly<Record<string, unknown>>)[resource];
  for (const name of names) method = (method as Readonly<Record<string, unknown>>)[name];
  const whole = [...args];
  const index = names.length === 1 ? OPTIONS_AT[names[0] as string] : undefined;
  if (index !== undefined) whole[index] = { ...(whole[index] as object | undefined), signal };
  return (method as (...given: unknown[]) => Promise<unknown>)(...whole);
}
