import type { ResponseError } from "./response.ts";

/** Deletes the members that errors are about. */
export function hideNulls(data: object, errors: readonly ResponseError[]): void {
  // A result has a limited number of errors. The last one counts the others, which are about the same fields.
  const isCut = errors.some(({ path }) => !path?.length);
  const hidden = new Set<string>();
  for (const { path = [] } of errors) {
    hidden.add(`,${path.join()}`);
    if (isCut) hidden.add(`,${path.filter((step) => typeof step === "string").join()}`);
  }
  hideIn(data, hidden);
}

/** `place` is the path of the holder, and `general` its path without the indexes of lists. */
function hideIn(holder: unknown, hidden: ReadonlySet<string>, place = "", general = ""): void {
  for (const [name, value] of Object.entries(holder ?? {})) {
    const at = `${place},${name}`;
    const of = Array.isArray(holder) ? general : `${general},${name}`;
    if (value === null && (hidden.has(at) || hidden.has(of))) Reflect.deleteProperty(holder as object, name);
    else if (typeof value === "object") hideIn(value, hidden, at, of);
  }
}
