/** How much a client wants a media type, by its `Accept` (RFC 9110 §12.5.1): from 0, not at all, to 1. */
function qualityOf(accept: string | readonly string[] | undefined, type: string): number {
  const header = String(accept ?? "").trim();
  if (header === "" || header === "*/*") return 1;
  const [group] = type.split("/");
  let best = { specific: -1, quality: 0 };
  for (const part of header.split(",")) {
    const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const specific = [`*/*`, `${group}/*`, type].indexOf(range);
    if (specific < 0 || specific < best.specific) continue;
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = q === undefined ? 1 : Number(q.slice(2));
    best = { specific, quality: Number.isFinite(quality) ? Math.min(1, Math.max(0, quality)) : 0 };
  }
  return best.quality;
}

/** The first of the offered types that the client wants most; undefined where it wants none. */
export function negotiate(
  accept: string | readonly string[] | undefined,
  offered: readonly string[],
): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const type of offered) {
    const quality = qualityOf(accept, type);
    if (quality <= most) continue;
    best = type;
    most = quality;
  }
  return best;
}
