type PlainHeaders = Readonly<Record<string, string>>;

/** Maximum number of kept `Headers`. All are dropped when it is reached. */
const MAX_KEPT = 1_024;

/** On Bun, a `Response` copies `Headers` faster than a plain object. Node would load its `fetch` for `Headers`. */
const IS_FASTER = "bun" in process.versions;

/** By entity tag, because responses that are requested often have one. */
const KEPT = new Map<string, { readonly plain: PlainHeaders; readonly headers: Headers }>();

/** Returns headers in the form from which the host creates a response the fastest. A `Response` copies them. */
export function keptHeaders(plain: PlainHeaders, isFaster = IS_FASTER): PlainHeaders | Headers {
  const tag = plain["ETag"];
  if (!isFaster || tag === undefined) return plain;
  const kept = KEPT.get(tag);
  if (kept !== undefined) return isEqual(kept.plain, plain) ? kept.headers : plain;
  if (KEPT.size >= MAX_KEPT) KEPT.clear();
  const headers = new Headers(plain);
  KEPT.set(tag, { plain, headers });
  return headers;
}

function isEqual(one: PlainHeaders, other: PlainHeaders): boolean {
  for (const name in one) if (one[name] !== other[name]) return false;
  for (const name in other) if (!(name in one)) return false;
  return true;
}
