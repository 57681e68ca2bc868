type PlainHeaders = Readonly<Record<string, string>>;

/** Maximum number of kept `Headers`. All are dropped when it is reached. */
const MAX_KEPT = 1_024;

/** On Bun, a `Response` copies `Headers` faster than a plain object. Node would load its `fetch` for `Headers`. */
const IS_FASTER = "bun" in process.versions;

interface Kept {
  readonly plain: PlainHeaders;
  readonly count: number;
  readonly headers: Headers;
}

/** By entity tag, because responses that are requested often have one. */
const KEPT = new Map<string, Kept>();

/** Returns headers in the form from which the host creates a response the fastest. A `Response` copies them. */
export function keptHeaders(plain: PlainHeaders, isFaster = IS_FASTER): PlainHeaders | Headers {
  const tag = plain["ETag"];
  if (!isFaster || tag === undefined) return plain;
  const kept = KEPT.get(tag);
  if (kept !== undefined) return isEqual(kept, plain) ? kept.headers : plain;
  if (KEPT.size >= MAX_KEPT) KEPT.clear();
  const headers = new Headers(plain);
  KEPT.set(tag, { plain, count: Object.keys(plain).length, headers });
  return headers;
}

function isEqual(kept: Kept, plain: PlainHeaders): boolean {
  let count = 0;
  for (const name in plain) {
    if (kept.plain[name] !== plain[name]) return false;
    count += 1;
  }
  return count === kept.count;
}
