/** As many documents as Mercurius and Yoga keep. */
const MAXIMUM = 1024;

/** What was made for a text, as a server keeps it: bounded, the oldest goes first. */
export function createKnown<Value>(): {
  get: (text: string) => Value | undefined;
  set: (text: string, value: Value) => void;
} {
  const values = new Map<string, Value>();
  return {
    get: (text) => values.get(text),
    set: (text, value) => {
      if (values.size >= MAXIMUM) values.delete(values.keys().next().value as string);
      values.set(text, value);
    },
  };
}
