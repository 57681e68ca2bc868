/** The number of documents that Mercurius and Yoga cache. */
const MAXIMUM = 1024;

/** A bounded cache by text, as a server would have one. The oldest entry is removed first. */
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
