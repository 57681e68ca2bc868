type Hook = (context: Readonly<Record<string, unknown>>) => unknown;
type HooksByName = Readonly<Record<string, unknown>>;

/** Joins the hooks of two traits. Both run, in this order; the second `before` hook gets the input of the first one. */
export function joinHooks(first: HooksByName, second: HooksByName): HooksByName {
  const joined: Record<string, unknown> = { ...first };
  for (const [operation, times] of Object.entries(second)) {
    const known: Record<string, unknown> = { ...(joined[operation] as object | undefined) };
    for (const [time, hook] of Object.entries(times as object)) {
      const before = known[time];
      known[time] = before === undefined ? hook : inOrder(before as Hook, hook as Hook);
    }
    joined[operation] = known;
  }
  return joined;
}

/** A hook that returns nothing keeps the input. */
function inOrder(first: Hook, second: Hook): Hook {
  return async (context) => {
    const changed = await first(context);
    if (changed === undefined) return second(context);
    // The context is inherited, because copying it would read its lazy members.
    const next = Object.create(context, { input: { value: changed, enumerable: true } }) as typeof context;
    return (await second(next)) ?? changed;
  };
}
